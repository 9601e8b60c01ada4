import { skillTranslationApi } from '@knowhow/shared/skills/skill-translation';
import { expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';

const group = (id: string, permissions: object, quotas = {}) => ({
  [id]: { id, name: id, permissions, quotas },
});
const chat = scriptedChat({
  'models/demo.json': { id: 'demo', modelId: 'demo', name: 'Demo', provider: 'demo' },
  'config/groups.json': {
    groups: {
      ...group('admins', { models: ['*'], adminAccess: true }),
      ...group('limited', { models: ['scripted'] }, { each: { turnsPerDay: 1 } }),
      ...group('poor', {}),
    },
  },
});
const start = async (step: Step) => {
  await chat.start(() => step);
  return signInAdmin(chat.server);
};
const ask = (visitor: Visitor, json: object = {}) =>
  visitor('/api/skill-translation', {
    json: {
      model: 'scripted',
      language: 'de',
      title: 'Notes',
      description: 'Takes notes.',
      ...json,
    },
  });
const answer = JSON.stringify({ title: ' Noti\u202ezen\n', description: 'Macht Notizen.' });

test('a model suggests the texts that are missing, and nothing else', async () => {
  const admin = await start(says(`Here: \n${answer}`));
  const whole = await parseAnswer(skillTranslationApi.suggest.response, ask(admin));
  expect(whole).toEqual({ title: 'Notizen', description: 'Macht Notizen.' });
  const [request] = chat.model.requests;
  expect(request?.system).toContain('German (de)');
  expect(JSON.stringify(request?.messages)).toContain('Takes notes.');
  const title = await parseAnswer(
    skillTranslationApi.suggest.response,
    ask(admin, { description: undefined }),
  );
  expect(title).toEqual({ title: 'Notizen' });
});

test('it counts against the quota, and needs a model that the user may use', async () => {
  const admin = await start(says(answer));
  const person = async (username: string, groups: string[]) =>
    (await signInNew(chat.server, admin, { username, groups })).visitor;
  const [lim, pat] = [await person('lim', ['limited']), await person('pat', ['poor'])];
  expect((await ask(lim)).status).toBe(200);
  expect(await parseProblem(ask(lim))).toMatchObject({ code: 'quota-used-up' });
  expect(await parseProblem(ask(pat))).toMatchObject({ issues: [{ path: 'model' }] });
  expect(chat.model.requests).toHaveLength(1);
});

test.each([
  ['the demo model', { model: 'demo' }, 409],
  ['an unknown model', { model: 'none' }, 400],
  ['an invalid language', { language: 'not a tag' }, 400],
  ['no text', { title: ' ', description: undefined }, 400],
  ['a text that is too long', { description: 'x'.repeat(1025) }, 400],
  ['an unknown field', { skill: 'notes' }, 400],
])('a translation is refused for %s', async (_, json, status) => {
  const admin = await start(says(answer));
  expect(await parseProblem(ask(admin, json))).toMatchObject({ status });
  expect(chat.model.requests).toHaveLength(0);
});

test.each([
  ['no JSON', 'Notizen'],
  ['an empty text', JSON.stringify({ title: '', description: 'Macht Notizen.' })],
])('an answer with %s is an error', async (_, text) => {
  const admin = await start(says(text));
  expect(await parseProblem(ask(admin))).toMatchObject({ code: 'model-garbage' });
});
