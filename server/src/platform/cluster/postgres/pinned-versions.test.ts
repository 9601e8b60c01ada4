import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const skill = 'meeting-notes';

async function startTwo(keep: number) {
  const nodes = await createNodes({
    'config/skills.json': { settings: { versions: { keep } } },
  });
  const model = scriptedModel(says('Done.'));
  const servers = [
    await nodes.start({ model: model.ask }),
    await nodes.start({ model: model.ask }),
  ];
  const [here, there] = await Promise.all(servers.map(signInAdmin));
  if (!here || !there) {
    throw new Error('Two nodes have been started.');
  }
  return { here, there, model };
}

const write = async (admin: Visitor, text: string) => {
  const body = skillFile(skill, text, `Do ${text}`);
  const answer = await admin(`/api/admin/skills/${skill}/files/SKILL.md`, { method: 'PUT', body });
  expect(answer.status).toBe(200);
};
const pin = async (admin: Visitor, version: number) => {
  const json = { id: 'chat', name: 'Chat', skills: [{ name: skill, version }] };
  expect((await admin('/api/admin/apps/chat', { method: 'PUT', json })).status).toBe(200);
};
const content = async (admin: Visitor) =>
  (await admin(`/api/skills/${skill}/content?app=chat`)).text();
const numbers = async (admin: Visitor) =>
  (
    await parseAnswer(skillVersionsApi.list.response, admin(`/api/skill-versions/${skill}`))
  ).items.map(({ number }) => number);

test('a pin and a preview made on one node are used by the other within a second', async () => {
  const { here, there, model } = await startTwo(100);
  await write(here, 'the second');
  await waitFor(async () => (await content(there)).includes('Do the second'));
  await pin(here, 1);
  const started = performance.now();
  await waitFor(async () => (await content(there)).includes('Do the first thing'));
  expect(performance.now() - started).toBeLessThan(1000);
  await takeTurn(there, { message: 'Go', skills: [skill] });
  expect(JSON.stringify(model.requests)).toContain('Do the first thing');

  await here('/api/admin/apps/chat', { method: 'PUT', json: { name: 'Chat', skills: ['*'] } });
  await waitFor(async () => (await content(there)).includes('Do the second'));
  const json = { groups: ['admins'] };
  expect((await here(`/api/skill-versions/${skill}/1/preview`, { json })).status).toBe(200);
  const previewed = performance.now();
  await waitFor(async () => (await content(there)).includes('Do the first thing'));
  expect(performance.now() - previewed).toBeLessThan(1000);
});

test('a node keeps a version that another node has pinned just before it prunes', async () => {
  const { here, there } = await startTwo(1);
  await write(here, 'the second');
  for (let version = 2; version <= 6; version += 1) {
    await pin(here, version);
    await write(there, `version ${version + 1}`);
    expect(await numbers(there)).toEqual([version + 1, version]);
  }
  await waitFor(async () => (await content(there)).includes('Do version 6'));
  expect(await content(here)).toContain('Do version 6');
});
