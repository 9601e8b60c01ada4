import { expect, onTestFinished, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { memorySource } from '../../../testing/memory-source.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';

test('a run among 6,000 skills does not block others', async () => {
  const names = Array.from({ length: 6000 }, (_, at) => `office-${at}`);
  const files = names.map((name) => [name, { 'SKILL.md': skillFile(name, `Manages ${name}.`) }]);
  const server = await startTestServer({
    model: scriptedModel(says('No.')).ask,
    files: { 'models/other.json': { id: 'other', modelId: 'x', name: 'O', provider: 'local' } },
    skillSources: [memorySource(Object.fromEntries(files))],
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const path = '/api/admin/skills/office-7/trigger-tests';
  const prompts = Array.from({ length: 12 }, (_, at) => ({
    text: `Manage the office ${at}`,
    expect: true,
  }));
  const go = async (json: object) =>
    (await admin(path, { json: { models: ['scripted'], prompts, ...json } })).text();
  await go({ prompts: prompts.slice(0, 1) });
  const pause = await measureLongestPause(
    () => go({ models: ['scripted', 'other'] }),
    processorClock,
  );
  expect(pause).toBeLessThan(120);
});
