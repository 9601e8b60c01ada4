import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { adminPassword } from '../start-knowhow.ts';

test('the admin signs in and out; conversations belong to whom they began with', async ({
  chat,
  page,
}) => {
  await chat.open();
  await chat.send('Asked before signing in.');
  await expect(chat.log.getByText('Nothing was scripted.')).toBeVisible();
  await chat.settled();

  await page.goto('/login');
  await chat.signIn('admin', adminPassword);
  await expect(chat.button('Admin: menu')).toBeVisible();
  await expect(chat.conversations.getByText('Asked before signing in.')).toBeHidden();

  await chat.button('Admin: menu').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(chat.button('Guest: menu')).toBeVisible();
});

test('a wrong password is refused without saying what was wrong with it', async ({
  chat,
  page,
}) => {
  await page.goto('/login');
  await chat.signIn('admin', 'wrong');
  const first = await page.getByRole('alert').textContent();
  await chat.signIn('nobody', 'wrong');
  await expect(page.getByRole('alert')).toHaveText(first ?? '');
  await expect(chat.button('Sign in')).toBeVisible();
});
