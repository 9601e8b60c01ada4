import { expect } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { mockSummarisedHistory } from '../mock-summarised-history.ts';
import { activate, fail, say } from '../provider-script.ts';
import { referenceAnswer } from '../reference-answer.ts';
import type { ScriptedProvider } from '../scripted-provider.ts';

interface Stage {
  chat: ChatPage;
  provider: ScriptedProvider;
}

type States = Record<string, (stage: Stage) => Promise<void>>;

const conversations: States = {
  'an answer with its skill card open': async ({ chat, provider }) => {
    provider.plays(activate('tea-brewing'), say(referenceAnswer));
    await chat.open();
    await chat.send('/tea-brewing Decisions and actions, please.');
    await expect(chat.log.getByRole('table')).toBeVisible();
    await chat.waitUntilSettled();
    await chat.card('tea-brewing').click();
  },
  'active skills, one of them changed since, and the summary of older messages': async ({
    chat,
    provider,
  }) => {
    provider.plays([activate('tea-brewing', 'meeting-notes')], say('Warm the pot.'), say('Now.'));
    await chat.open();
    await chat.send('How do I brew assam?');
    await chat.waitUntilSettled();
    await chat.send('And then?');
    await expect(chat.log.getByText('Now.')).toBeVisible();
    await chat.waitUntilSettled();
    await mockSummarisedHistory(chat.page, 'Goal: a pot of assam.');
    await expect(chat.button('Update: tea-brewing')).toBeVisible();
    await expect(chat.button('Deactivate meeting-notes')).toBeVisible();
    await chat.button('The model reads a summary of the messages above').click();
    await expect(chat.log.getByText('Goal: a pot of assam.')).toBeVisible();
  },
  'what the model saw for an answer': async ({ chat, provider }) => {
    provider.plays(activate('tea-brewing'), say('Warm the pot.'));
    await chat.open();
    await chat.send('How do I brew assam?');
    await chat.waitUntilSettled();
    await chat.button('What the model saw').click();
    await chat.page.getByRole('combobox', { name: 'Skill name' }).fill('tea');
    await expect(chat.page.getByRole('option', { name: 'tea-brewing' })).toBeVisible();
    await chat.page.keyboard.press('Enter');
    await expect(chat.page.getByText('tea-brewing was used for this answer.')).toBeVisible();
    await chat.page.getByRole('button', { name: /^Skills listed/ }).click();
  },
  'a failed answer': async ({ chat, provider }) => {
    provider.plays(fail(500));
    await chat.open();
    await chat.send('Hello?');
    await expect(chat.log.getByRole('alert')).toBeVisible();
  },
  'the list of conversations': async ({ chat }) => {
    await chat.open();
    await chat.send('Hello?');
    await chat.waitUntilSettled();
  },
};

const others: States = {
  'the first page': ({ chat }) => chat.open(),
  'the palette': async ({ chat }) => {
    await chat.open();
    await chat.composer.press('/');
    await expect(chat.palette.getByRole('option').first()).toBeVisible();
  },
  'the form of a prompt': async ({ chat }) => {
    await chat.open();
    await chat.composer.pressSequentially('/packing');
    await chat.option('Packing list').click();
    await expect(chat.page.getByRole('dialog')).toBeVisible();
  },
  'the menu of the account': async ({ chat }) => {
    await chat.open();
    await openMenu(chat);
  },
  'the search of everything': async ({ chat }) => {
    await chat.open();
    await chat.page.keyboard.press('Control+k');
    await expect(chat.page.getByRole('dialog')).toBeVisible();
  },
  'the library of skills': async ({ chat }) => {
    await chat.page.goto('/skills');
    await expect(chat.page.getByRole('list', { name: 'Skills' })).toBeVisible();
  },
  'a skill in the library': async ({ chat }) => {
    await chat.page.goto('/skills/meeting-notes');
    await expect(chat.page.getByRole('heading', { name: 'Try it' })).toBeVisible();
  },
  'the sign-in page': async ({ chat }) => {
    await chat.page.goto('/login');
    await expect(chat.button('Sign in')).toBeVisible();
  },
  'a page that is not there': async ({ chat }) => {
    await chat.page.goto('/c/00000000-0000-4000-8000-000000000000');
    await expect(chat.page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  },
  'the API documentation': async ({ chat }) => {
    await chat.page.goto('/api/docs');
    await expect(chat.page.getByRole('heading').first()).toBeVisible();
  },
};

async function openMenu(chat: ChatPage): Promise<void> {
  await chat.button('Guest: menu').click();
  await expect(chat.page.getByRole('menu')).toBeVisible();
}

/** Reopens what a narrow page hides. */
const onPhone: States = {
  'the list of conversations': async ({ chat }) => {
    await chat.button('Open the sidebar').click();
    await expect(chat.conversations).toBeVisible();
  },
  'the menu of the account': async ({ chat }) => {
    await chat.button('Open the sidebar').click();
    await openMenu(chat);
  },
};

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test.use({ contextOptions: { reducedMotion: 'reduce' } });

// One visitor for many states, with one tab each, checked at every width: loading the client each time would
// take most of the time.
for (const [area, states] of Object.entries({ 'a conversation': conversations, chat: others })) {
  test(`axe finds no serious violations on the pages of ${area}`, async ({ context, provider }) => {
    test.setTimeout(240_000);
    for (const [state, reach] of Object.entries(states)) {
      await test.step(state, async () => {
        provider.reset();
        const page = await context.newPage();
        const stage = { chat: new ChatPage(page), provider };
        await page.setViewportSize(widths.desktop);
        await reach(stage);
        for (const [device, viewport] of Object.entries(widths)) {
          await page.setViewportSize(viewport);
          if (viewport === widths.phone) {
            await onPhone[state]?.(stage);
          }
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const view = `${state}, ${device}, ${colorScheme}`;
            expect.soft(await findSeriousViolations(page), view).toEqual([]);
          }
        }
        await page.close();
      });
    }
  });
}

test('axe reports a button without a name', async ({ chat, page }) => {
  await chat.open();
  await page.evaluate(() => document.body.append(document.createElement('button')));
  expect(await findSeriousViolations(page)).toEqual(['button-name: <button></button>']);
});
