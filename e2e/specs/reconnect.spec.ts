import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { hang, pause, say } from '../provider-script.ts';
import type { ScriptedProvider } from '../scripted-provider.ts';

/** A promise that the spec resolves on demand. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((done) => {
    open = done;
  });
  return { passed, open };
}

/** An answer of many words, so that missing or duplicate ones are noticed. */
const firstHalf = words(1, 60);
const whole = words(1, 120);
const stopped = 'You stopped this answer.';
const interrupted = 'This answer was interrupted';

function words(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `word-${from + index}`).join(' ');
}

/** Asks, and waits for the first half of the answer; the returned function releases the rest. */
async function beginAnswer(chat: ChatPage, provider: ScriptedProvider): Promise<() => void> {
  const rest = gate();
  provider.plays([say(firstHalf), pause(rest.passed), say(` ${words(61, 120)}`)]);
  await chat.open();
  await chat.send('Count.');
  await expect(chat.log.getByText(firstHalf, { exact: true })).toBeVisible();
  return rest.open;
}

test('a reload during an answer continues it to its end', async ({ chat, provider }) => {
  const goOn = await beginAnswer(chat, provider);
  await chat.composer.fill('And then');
  await chat.page.reload();
  await expect(chat.log.getByText(firstHalf, { exact: true })).toBeVisible();
  await expect(chat.button('Stop')).toBeVisible();
  goOn();
  await expect(chat.log.getByText(whole, { exact: true })).toBeVisible();
  await chat.waitUntilSettled();
  await expect(chat.composer).toHaveValue('And then');
  await expect(chat.log.getByText(interrupted)).toBeHidden();
  await expect(chat.log.getByText(stopped)).toBeHidden();
});

test('an answer continues without readers, and is there when one returns', async ({
  chat,
  provider,
}) => {
  const goOn = await beginAnswer(chat, provider);
  const url = chat.page.url();
  await chat.page.goto('about:blank');
  goOn();
  await chat.page.goto(url);
  await expect(chat.log.getByText(whole, { exact: true })).toBeVisible();
  expect(provider.requests).toHaveLength(1);
  expect(provider.lastRequest().abandoned).toBe(false);
});

test('a second tab follows live, without polling', async ({ chat, context, provider }) => {
  const more = gate();
  const rest = gate();
  provider.plays(say('One.'), [
    say(firstHalf),
    pause(more.passed),
    say(` ${words(61, 90)}`),
    pause(rest.passed),
    say(` ${words(91, 120)}`),
  ]);
  await chat.open();
  await chat.send('First?');
  await expect(chat.log.getByText('One.')).toBeVisible();
  await chat.waitUntilSettled();
  const second = new ChatPage(await context.newPage());
  await second.open(chat.page.url());
  await chat.send('Second?');
  await expect(second.log.getByText(firstHalf, { exact: true })).toBeVisible();
  const asked = conversationRequests(second.page);
  more.open();
  await expect(second.log.getByText(words(1, 90), { exact: true })).toBeVisible();
  expect(asked).toEqual([]);
  rest.open();
  await expect(second.log.getByText(whole, { exact: true })).toBeVisible();
  await second.waitUntilSettled();
  await expect(chat.log.getByText(whole, { exact: true })).toBeVisible();
});

test('an answer can be stopped from any tab, and every tab shows it', async ({
  chat,
  context,
  provider,
}) => {
  provider.plays([say('The first half'), hang]);
  await chat.open();
  await chat.send('Go.');
  await expect(chat.log.getByText('The first half')).toBeVisible();
  const second = new ChatPage(await context.newPage());
  await second.open(chat.page.url());
  await second.button('Stop').click();
  await expect(second.log.getByText(stopped)).toBeVisible();
  await expect(chat.log.getByText(stopped)).toBeVisible();
  await expect.poll(() => provider.lastRequest().abandoned, { timeout: 1000 }).toBe(true);
});

test('without a network the answer waits, and continues after reconnecting', async ({
  chat,
  context,
  provider,
}) => {
  const goOn = await beginAnswer(chat, provider);
  await chat.composer.fill('And then');
  await context.setOffline(true);
  await expect(chat.log.getByText('Reconnecting…', { exact: true })).toBeVisible();
  goOn();
  await expect(chat.log.getByText(firstHalf, { exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(chat.log.getByText(whole, { exact: true })).toBeVisible();
  await expect(chat.log.getByText('Reconnecting…', { exact: true })).toBeHidden();
  await chat.waitUntilSettled();
  await expect(chat.composer).toHaveValue('And then');
  await expect(chat.log.getByRole('alert')).toBeHidden();
});

/** Requests for a conversation, or its turn, from now on. */
function conversationRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/conversations\/./.test(request.url())) {
      asked.push(request.url());
    }
  });
  return asked;
}
