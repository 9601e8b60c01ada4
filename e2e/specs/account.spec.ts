import { expect } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { hang, say } from '../provider-script.ts';
import { adminPassword } from '../start-knowhow.ts';

test('the admin signs in and out; conversations stay with their owner', async ({ chat, page }) => {
  await chat.open();
  await chat.send('Asked before signing in.');
  await expect(chat.log.getByText('Nothing was scripted.')).toBeVisible();
  await chat.waitUntilSettled();

  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await expect(chat.button('Admin: menu')).toBeVisible();
  await expect(chat.conversations.getByText('Asked before signing in.')).toBeHidden();

  await chat.button('Admin: menu').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(chat.button('Guest: menu')).toBeVisible();
});

test('signing out in another tab shows where an answer is being written', async ({
  chat,
  context,
  page,
  provider,
}) => {
  provider.plays([say('Half an answer'), hang]);
  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await chat.waitUntilReady();
  await chat.send('Go on.');
  await expect(chat.log.getByText('Half an answer')).toBeVisible();

  const other = new ChatPage(await context.newPage());
  await other.open();
  await other.button('Admin: menu').click();
  await other.page.getByRole('menuitem', { name: 'Sign out' }).click();

  const note = page.getByRole('alert').filter({ hasText: 'You have been signed out.' });
  await expect(note).toBeVisible();
  await expect(chat.button('Guest: menu')).toBeVisible();
  expect(provider.lastRequest().abandoned).toBe(true);
});

test('a user whose session has ended is told that they are signed out', async ({
  chat,
  context,
  page,
  provider,
}) => {
  provider.plays(say('Hello.'));
  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await chat.waitUntilReady();
  await chat.send('Hi.');
  await expect(chat.log.getByText('Hello.')).toBeVisible();
  await chat.waitUntilSettled();
  await context.clearCookies();
  await chat.send('And now?');
  const note = page.getByRole('alert').filter({ hasText: 'You have been signed out.' });
  await expect(note).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await note.getByRole('link', { name: 'Sign in' }).click();
  await chat.signIn('admin', adminPassword);
  await chat.waitUntilReady();
  await expect(note).toBeHidden();
});

test('a message written after signing out in another tab is not sent as a guest', async ({
  chat,
  context,
  page,
  provider,
}) => {
  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await chat.waitUntilReady();
  const other = new ChatPage(await context.newPage());
  await other.open();
  await other.button('Admin: menu').click();
  await other.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(other.button('Guest: menu')).toBeVisible();

  await chat.send('For me only.');
  const note = page.getByRole('alert').filter({ hasText: 'You have been signed out.' });
  await expect(note).toBeVisible();
  await expect(chat.button('Guest: menu')).toBeVisible();
  await expect(chat.log.getByText('For me only.')).toHaveCount(0);
  await expect(chat.composer).toHaveValue('For me only.');
  expect(provider.requests).toHaveLength(0);
});

test('a user with a temporary password must choose a new one, and does', async ({
  admin,
  chat,
  page,
}) => {
  const ann = { username: 'ann', name: 'Ann', groups: [] };
  const { password } = (await admin.api('POST', 'users', ann)) as { password: string };
  await page.context().clearCookies();
  await page.goto('/login');
  await chat.signIn('ann', password);
  await expect(page.getByText('You are using a temporary password.')).toBeVisible();
  await chat.button('Change password').click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByLabel('Current password').fill('not that one');
  await dialog.getByLabel('New password').fill('seven calm herons fly');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText('The current password is wrong.')).toBeVisible();
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await expect(page.getByText('You are using a temporary password.')).toBeHidden();
});

test('the chosen theme survives signing out', async ({ chat, page }) => {
  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await chat.button('Admin: menu').click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.keyboard.press('Escape');
  await chat.button('Admin: menu').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(chat.button('Guest: menu')).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('rejects a wrong password without saying what was wrong', async ({ chat, page }) => {
  await page.goto('/login');
  await chat.signIn('admin', 'wrong');
  const first = await page.getByRole('alert').textContent();
  await chat.signIn('nobody', 'wrong');
  await expect(page.getByRole('alert')).toHaveText(first ?? '');
  await expect(chat.button('Sign in')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 600 } });

  test('every menu item is reachable, and Escape closes one layer at a time', async ({
    chat,
    page,
  }) => {
    await page.goto('/login');
    await chat.signIn('admin', adminPassword);
    await chat.button('Open the sidebar').click();
    await chat.button('Admin: menu').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).scrollIntoViewIfNeeded();
    const first = page.getByRole('menuitemradio', { name: 'English' });
    await first.scrollIntoViewIfNeeded();
    await expect(first).toBeInViewport({ ratio: 1 });

    await page.getByRole('menuitem', { name: 'Notifications' }).click();
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(chat.button('Admin: menu')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(chat.button('Open the sidebar')).toBeFocused();
  });

  test('an empty conversation is visible from its top', async ({ chat, page }) => {
    await page.setViewportSize({ width: 390, height: 400 });
    await chat.open();
    await chat.button('Temporary chat').click();
    await expect(page.getByRole('heading', { level: 2 })).toBeInViewport();
    await chat.send('Hello.');
    await chat.waitUntilSettled();
    await expect(chat.log.getByText('Nothing was scripted.')).toBeInViewport();
  });
});
