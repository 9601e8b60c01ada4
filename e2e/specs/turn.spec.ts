import { expect } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { breakOff, cut, fail, garbage, hang, say } from '../provider-script.ts';

test('stopping an answer keeps its text and aborts the request to the model', async ({
  chat,
  provider,
}) => {
  provider.plays([say('The first half of it'), hang], say('All of it.'));
  await chat.open();
  await chat.send('Tell me a long story.');
  await expect(chat.log.getByText('The first half of it')).toBeVisible();
  await chat.button('Stop').click();

  await chat.waitUntilSettled();
  await expect(chat.log.getByText('The first half of it')).toBeVisible();
  await expect.poll(() => provider.lastRequest().abandoned, { timeout: 1000 }).toBe(true);
  await chat.page.reload();
  await expect(chat.log.getByText('The first half of it')).toBeVisible();
});

test('an answer can be regenerated', async ({ chat, provider }) => {
  provider.plays(say('A dull answer.'), say('A better answer.'));
  await chat.open();
  await chat.send('What is a heron?');
  await expect(chat.log.getByText('A dull answer.')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.button('Retry').click();

  await expect(chat.log.getByText('A better answer.')).toBeVisible();
  await expect(chat.log.getByText('A dull answer.')).toBeHidden();
  expect(provider.lastRequest().raw).not.toContain('A dull answer.');
  expect(provider.lastRequest().getText('user')).toBe('What is a heron?');
});

test('the branch before a retry can be restored by keyboard, in every tab, and after a reload', async ({
  chat,
  context,
  provider,
}) => {
  provider.plays(say('A dull answer.'), say('A better answer.'));
  await chat.open();
  await chat.send('What is a heron?');
  await chat.waitUntilSettled();
  await chat.button('Retry').click();
  await expect(chat.log.getByText('2 / 2')).toBeVisible();
  const second = new ChatPage(await context.newPage());
  await second.open(chat.page.url());
  await expect(second.log.getByText('A better answer.')).toBeVisible();
  await chat.page.bringToFront();
  await chat.button('Previous version').focus();
  await chat.page.keyboard.press('Enter');
  await expect(chat.log.getByText('A dull answer.')).toBeVisible();
  await expect(chat.button('Next version')).toBeFocused();
  await expect(second.log.getByText('A dull answer.')).toBeVisible();
  await chat.page.reload();
  await expect(chat.log.getByText('1 / 2')).toBeVisible();
  await expect(chat.log.getByText('A dull answer.')).toBeVisible();
});

test('a message can be edited and sent again', async ({ chat, provider }) => {
  provider.plays(say('A heron is a bird.'), say('A crane is a bird too.'));
  await chat.open();
  await chat.send('What is a heron?');
  await expect(chat.log.getByText('A heron is a bird.')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.log.getByRole('button', { name: 'Edit' }).click();
  const editor = chat.log.getByRole('textbox');
  await expect(editor).toHaveValue('What is a heron?');
  await editor.fill('What is a crane?');
  await editor.press('Enter');

  await expect(chat.log.getByText('A crane is a bird too.')).toBeVisible();
  await expect(chat.log.getByText('A heron is a bird.')).toBeHidden();
  expect(provider.lastRequest().raw).not.toContain('heron');
});

test('an answer is copied as Markdown source', async ({ chat, provider, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  provider.plays(say('Some **bold** words.'));
  await chat.open();
  await chat.send('Be bold.');
  await chat.waitUntilSettled();
  const answer = chat.log.getByRole('article', { name: 'Answer' });
  await answer.getByRole('button', { name: 'Copy', exact: true }).click();

  const copied = () => chat.page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe('Some **bold** words.');
});

const failures = [
  { what: 'refuses the key', answer: fail(401) },
  { what: 'has had enough', answer: fail(429, 30) },
  { what: 'is broken', answer: fail(500) },
  { what: 'fails in mid-answer', answer: [say('Half a'), breakOff] },
  { what: 'cuts the connection in mid-answer', answer: [say('Half a'), cut] },
  { what: 'sends garbage', answer: garbage },
];

test('whatever fails at the provider, the error is in the conversation and retry works', async ({
  chat,
  provider,
}) => {
  await chat.open();
  for (const { what, answer } of failures) {
    await test.step(`the provider ${what}`, async () => {
      provider.plays(answer);
      await chat.send('Hello?');
      const error = chat.log.getByRole('alert');
      await expect(error).toContainText('House model');
      await expect(error).not.toContainText(new URL(provider.url).host);

      provider.plays(say(`Here I am, although it ${what}.`));
      await error.getByRole('button', { name: 'Retry' }).click();
      await expect(chat.log.getByText(`Here I am, although it ${what}.`)).toBeVisible();
      await expect(error).toBeHidden();
      await chat.waitUntilSettled();
    });
  }
});
