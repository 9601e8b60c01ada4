import { expect } from '@playwright/test';
import type { ChatPage } from '../chat-page.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { hiddenSkill, hideSkills } from '../prepare-contents.ts';
import { activate, say } from '../provider-script.ts';
import { RecordingProxy } from '../recording-proxy.ts';

const secret = 'zirconium';

const wiretapped = test.extend<{ wire: RecordingProxy }>({
  wire: async ({ knowhow }, use) => {
    const wire = await RecordingProxy.start(knowhow.url);
    await use(wire);
    wire.stop();
  },
});

wiretapped(
  'without the grant, nothing the server sends contains a skill or its name',
  async ({ chat, page, provider, wire }) => {
    await chat.open(wire.url);
    await lookEverywhere(chat);
    await page.reload();
    await expect(chat.log.getByText('Nothing was scripted.')).toBeVisible();

    expect(wire.pathsThatSent('event: done')).toHaveLength(1);
    expect(wire.pathsThatSent('tea-brewing')).toContain('/api/skills?app=chat');
    expect(wire.pathsThatSent(hiddenSkill)).toEqual([]);
    expect(wire.pathsThatSent(secret)).toEqual([]);
    for (const request of provider.requests) {
      expect(request.raw).not.toContain(hiddenSkill);
    }
  },
);

wiretapped(
  'with the grant, the same requests find it',
  async ({ admin: _, chat, provider, wire }) => {
    await chat.open(wire.url);
    await expect(chat.button('Admin: menu')).toBeVisible();
    await lookEverywhere(chat);

    expect(wire.pathsThatSent(hiddenSkill)).toContain('/api/skills?app=chat');
    expect(provider.lastRequest().getText('system')).toContain(hiddenSkill);
  },
);

test('a forbidden skill, requested by name, looks like one that does not exist', async ({
  chat,
  page,
  provider,
}) => {
  await chat.open();
  for (const path of ['', '/content', '/files/SKILL.md']) {
    const [forbidden, missing] = await Promise.all(
      [hiddenSkill, 'no-such-skill'].map(async (name) => {
        const response = await page.request.get(`/api/skills/${name}${path}`);
        return { status: response.status(), body: (await response.text()).replaceAll(name, '…') };
      }),
    );
    expect(forbidden?.status).toBe(404);
    expect(forbidden).toEqual(missing);
  }

  provider.plays(activate(hiddenSkill), activate('no-such-skill'), say('I could not.'));
  await chat.send('What does the first band earn?');
  await expect(chat.log.getByText('I could not.')).toBeVisible();
  const [forbidden, missing] = provider.lastRequest().getText('tool').split('\n');
  expect(forbidden?.replaceAll(hiddenSkill, '…')).toBe(missing?.replaceAll('no-such-skill', '…'));
  expect(provider.lastRequest().raw).not.toContain(secret);
});

test('an active skill that is withdrawn ends with the next question, and the user is informed', async ({
  chat,
  knowhow,
  page,
  provider,
}) => {
  const listed = async () => (await page.request.get('/api/skills')).text();
  await chat.open();
  await chat.send('/tea-brewing Assam, please.');
  await expect(chat.card('tea-brewing')).toBeVisible();
  await chat.waitUntilSettled();
  expect(provider.lastRequest().raw).toContain('measure 2 g of leaves');
  try {
    await hideSkills(knowhow.contentsDir, [hiddenSkill, 'tea-brewing']);
    await expect.poll(listed).not.toContain('tea-brewing');
    await chat.send('And now sencha.');
    await expect(chat.log.getByText(/tea-brewing was deactivated/)).toBeVisible();
    await chat.waitUntilSettled();
    expect(provider.requests).toHaveLength(2);
    expect(provider.lastRequest().raw).not.toContain('measure 2 g of leaves');
  } finally {
    await hideSkills(knowhow.contentsDir, [hiddenSkill]);
    await expect.poll(listed).toContain('tea-brewing');
  }
});

async function lookEverywhere(chat: ChatPage): Promise<void> {
  await chat.composer.pressSequentially('/pay');
  await chat.composer.fill('');
  await chat.send('What does a position in the first band earn?');
  await expect(chat.log.getByText('Nothing was scripted.')).toBeVisible();
  await chat.waitUntilSettled();
  for (const path of ['/api/skills', '/api/skills?app=chat', '/api/prompts', '/api/apps']) {
    await chat.page.evaluate(async (url) => (await fetch(url)).text(), path);
  }
}
