import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

test('a skill is picked with / and the keyboard, and applied', async ({ chat, provider }) => {
  provider.plays(say('Warm the pot first.'));
  await chat.open();
  await chat.composer.press('/');
  await expect(chat.palette).toBeVisible();
  await chat.composer.pressSequentially('tea-brewing');
  await expect(chat.option('tea-brewing')).toHaveAttribute('aria-selected', 'true');
  await chat.composer.press('Enter');

  await expect(chat.palette).toBeHidden();
  await expect(chat.chip('tea-brewing')).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await chat.send('assam');

  await expect(chat.log.getByText('Warm the pot first.')).toBeVisible();
  await expect(chat.card('tea-brewing')).toBeVisible();
  await expect(chat.chip('tea-brewing')).toBeHidden();
  expect(provider.lastRequest().raw).toContain('measure 2 g of leaves');
});

test('the palette works with arrow keys and mouse, and Escape closes it', async ({ chat }) => {
  await chat.open();
  const greeting = chat.log.getByRole('heading');
  await expect(greeting).toBeVisible();
  await chat.composer.press('/');
  await expect(greeting).toBeHidden();
  const options = chat.palette.getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await chat.composer.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');

  await chat.composer.press('Escape');
  await expect(chat.palette).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await chat.composer.fill('');
  // Other specs on this server may add skills, and the first page of the list may end before this one.
  await chat.composer.pressSequentially('/tea');
  await chat.option('tea-brewing').click();
  await expect(chat.chip('tea-brewing')).toBeVisible();
  await chat.chip('tea-brewing').click();
  await expect(chat.chip('tea-brewing')).toBeHidden();
});

test('a skill typed out as /name is applied', async ({ chat, provider }) => {
  provider.plays(say('Camomile it is.'));
  await chat.open();
  await chat.composer.pressSequentially('/tea-brewing camomile, please');
  await expect(chat.palette).toBeHidden();
  await chat.composer.press('Enter');

  await expect(chat.log.getByText('Camomile it is.')).toBeVisible();
  await expect(chat.card('tea-brewing')).toBeVisible();
  expect(provider.lastRequest().raw).toContain('measure 2 g of leaves');
  expect(provider.lastRequest().getText('user')).toContain('camomile, please');
});

test('a search without results says so', async ({ chat }) => {
  await chat.open();
  await chat.composer.pressSequentially('/zzzz');
  await expect(chat.page.getByText(/nothing|no .*found/i)).toBeVisible();
});

test('a prompt is inserted with its variables', async ({ chat, provider }) => {
  provider.plays(say('Socks.'));
  await chat.open();
  await chat.composer.pressSequentially('/packing');
  await expect(chat.option('Packing list')).toBeVisible();
  await chat.composer.press('Enter');

  const form = chat.page.getByRole('dialog');
  await expect(form.getByRole('textbox', { name: 'How many days' })).toHaveValue('3');
  await form.getByRole('textbox', { name: 'Where to' }).fill('Oslo');
  await form.getByRole('button', { name: 'Insert' }).click();

  await expect(chat.composer).toHaveValue('Write a packing list for 3 days in Oslo.');
  await expect(chat.composer).toBeFocused();
  await chat.composer.press('Enter');
  await expect(chat.log.getByText('Socks.')).toBeVisible();
  expect(provider.lastRequest().getText('user')).toBe('Write a packing list for 3 days in Oslo.');
});
