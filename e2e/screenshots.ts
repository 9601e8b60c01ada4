import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { ChatPage } from './chat-page.ts';
import { knowhowTest as test } from './knowhow-test.ts';
import { activate, fail, read, say } from './provider-script.ts';
import { referenceAnswer } from './reference-answer.ts';
import type { ScriptedProvider } from './scripted-provider.ts';
import { repositoryRoot } from './start-knowhow.ts';

const folder = join(repositoryRoot, 'docs', 'images');
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(60_000);

for (const [device, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`takes screenshots for docs/images: ${device}, ${colorScheme}`, async ({
      chat,
      page,
      provider,
    }) => {
      await mkdir(folder, { recursive: true });
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await tour(chat, provider, async (name) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({
          path: join(folder, `${name}-${colorScheme}-${viewport.width}.png`),
          caret: 'initial',
        });
      });
    });
  }
}

async function tour(
  chat: ChatPage,
  provider: ScriptedProvider,
  takePicture: (name: string) => Promise<void>,
): Promise<void> {
  await chat.open();
  await takePicture('welcome');

  await chat.composer.pressSequentially('/');
  await expect(chat.palette.getByRole('option').first()).toBeVisible();
  await takePicture('palette');
  await chat.composer.fill('');

  for (const subject of ['Plan the office move', 'Rewrite the parental leave policy']) {
    provider.plays(say('Gladly.'));
    await chat.send(subject);
    await expect(chat.log.getByText('Gladly.')).toBeVisible();
    await chat.waitUntilSettled();
    await chat.startNew();
  }

  provider.plays(
    activate('meeting-notes'),
    read('meeting-notes', 'references/decision-or-not.md'),
    say(referenceAnswer),
  );
  await chat.send('Here are my notes of the billing meeting. What did we decide, who does what?');
  await expect(chat.log.getByRole('table')).toBeVisible();
  await chat.waitUntilSettled();
  await chat.card('meeting-notes').click();
  await chat.card('meeting-notes').scrollIntoViewIfNeeded();
  await takePicture('answer');

  if (!(await chat.conversations.isVisible())) {
    await chat.showConversations();
    await takePicture('conversations');
    await chat.page.keyboard.press('Escape');
  }

  await chat.startNew();
  // Away from the button, whose tooltip would show.
  await chat.composer.hover();
  provider.plays(fail(429, 20));
  await chat.send('Which of these figures look wrong?');
  await expect(chat.log.getByRole('alert')).toBeVisible();
  await takePicture('error');

  await chat.page.goto('/login');
  await expect(chat.button('Sign in')).toBeVisible();
  await takePicture('sign-in');
}
