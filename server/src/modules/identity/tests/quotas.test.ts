import { join } from 'node:path';
import { serviceKeysApi } from '@knowhow/shared/access/service-keys';
import { usageApi } from '@knowhow/shared/access/usage';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { makeKey, programWith } from '../../../testing/make-key.ts';
import { openGate } from '../../../testing/open-gate.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  defaultFiles,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
afterEach(() => server.close());

const { groups } = defaultFiles['config/groups.json'];
const withQuotas = (quotas: object, ofGroups: Record<string, object> = {}) => {
  const staff = { id: 'staff', name: 'Staff', inherits: ['anonymous'] };
  const all = Object.entries({ ...groups, staff }).map(([id, group]) => [
    id,
    { ...group, ...(ofGroups[id] && { quotas: ofGroups[id] }) },
  ]);
  return {
    'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, quotas },
    'config/groups.json': { groups: Object.fromEntries(all) },
  };
};
const say = async (visitor: Visitor) => (await takeTurn(visitor, { message: 'Hello' })).status;
const usageOf = async (visitor: Visitor) =>
  (await parseAnswer(usageApi.own.response, visitor('/api/account/usage'))).items;
const complete = (visitor: Visitor) =>
  visitor('/v1/chat/completions', {
    json: { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
  });

test('a user has a daily message quota, across all keys and restarts, and sees when it resets', async () => {
  server = await startTestServer({ files: withQuotas({ user: { turnsPerDay: 3 } }) });
  const { visitor: ann } = await signInNew(server, await signInAdmin(server), {
    ...{ username: 'ann', groups: ['staff'] },
  });
  const { key, program } = await makeKey(server, ann, ['chat']);
  expect(await say(ann)).toBe(200);
  expect((await complete(program)).status).toBe(200);
  const { folder } = server;
  await server.close();
  server = await startTestServer({ folder });
  const again = programWith(server, key);
  expect(await say(again)).toBe(200);
  const refused = await takeTurn(again, { message: 'Hello' });
  expect(refused.status).toBe(429);
  const { code, detail } = problemSchema.parse(JSON.parse(refused.body));
  expect(code).toBe('quota-used-up');
  expect(detail).toMatch(
    /You have 3 messages a day.* The quota resets at \d{4}-\d\d-\d\d 00:00 UTC/,
  );
  const ofProgram = await complete(again);
  expect([ofProgram.status, Number(ofProgram.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await ofProgram.json()).toMatchObject({ error: { code: 'insufficient_quota' } });
  // Rejected messages are not counted; each answer is 15 tokens.
  const admin = await signInAdmin(server);
  const { items } = await parseAnswer(usageApi.all.response, admin('/api/admin/usage'));
  expect(items).toMatchObject([
    { kind: 'user', name: 'ann', day: { turns: 3, tokens: 45, maxTurns: 3 } },
    { kind: 'key', name: 'A program (ann)', day: { turns: 2, tokens: 30 } },
  ]);
});

test('monthly token quotas apply as well; groups can raise them for members, or share one', async () => {
  const files = withQuotas(
    { user: { tokensPerMonth: 15 }, key: { turnsPerDay: 1 } },
    {
      staff: { each: { tokensPerMonth: 30 }, together: { turnsPerDay: 5 } },
      anonymous: { together: { turnsPerDay: 1 } },
    },
  );
  server = await startTestServer({ files });
  const admin = await signInAdmin(server);
  const person = async (username: string, own: string[]) =>
    (await signInNew(server, admin, { username, groups: own })).visitor;
  const [ann, ben] = [await person('ann', ['staff']), await person('ben', ['authenticated'])];
  expect([await say(ann), await say(ann), await say(ann)]).toEqual([200, 200, 429]);
  expect([await say(ben), await say(ben)]).toEqual([200, 429]);
  expect(await usageOf(ann)).toMatchObject([
    { kind: 'user', month: { turns: 2, tokens: 30, maxTokens: 30 } },
    { kind: 'group', id: 'staff', name: 'Staff', day: { turns: 2, maxTurns: 5 } },
  ]);
  const json = { name: 'Intranet', scopes: ['chat'], groups: ['staff'], quota: { turnsPerDay: 2 } };
  const { key } = await parseAnswer(
    serviceKeysApi.create.response,
    admin('/api/admin/keys', { json }),
  );
  const program = programWith(server, key);
  expect([await say(program), await say(program), await say(program)]).toEqual([200, 200, 429]);
  // Guests are one group with a shared quota.
  const guest = server.visitor();
  expect([await say(guest), await say(server.visitor())]).toEqual([200, 429]);
  expect(await usageOf(guest)).toEqual([]);

  await writeFiles(join(server.folder, 'contents'), withQuotas({}));
  await expect.poll(() => say(ben)).toBe(200);
});

test('five concurrent answers exceed a token quota by no more than one answer', async () => {
  const gate = openGate();
  const model = scriptedModel([
    () => gate.passed,
    { type: 'text', text: 'Hello.' },
    { type: 'usage', inputTokens: 10, outputTokens: 400 },
    { type: 'stop', reason: 'stop' },
  ]).ask;
  server = await startTestServer({ files: withQuotas({ user: { tokensPerDay: 500 } }), model });
  const { visitor: ann } = await signInNew(server, await signInAdmin(server), {
    ...{ username: 'ann', groups: ['staff'] },
  });
  const { program } = await makeKey(server, ann, ['chat']);
  const refused: string[] = [];
  const turns = [ann, ann, program, program, ann].map(async (visitor) => {
    const { status, body } = await takeTurn(visitor, { message: 'Hello' });
    if (status === 429) {
      refused.push(problemSchema.parse(JSON.parse(body)).code);
    }
    return status;
  });
  await expect.poll(() => refused).toEqual(Array(4).fill('too-many-requests'));
  gate.open();
  expect((await Promise.all(turns)).sort()).toEqual([200, 429, 429, 429, 429]);
  expect([await say(ann), await say(ann)]).toEqual([200, 429]);
  expect(await usageOf(ann)).toMatchObject([{ kind: 'user', day: { turns: 2, tokens: 820 } }]);
});

test('a failed answer releases its reservation', async () => {
  const model = scriptedModel([new Error('Broken.')], says('Hello.')).ask;
  server = await startTestServer({ files: withQuotas({ user: { tokensPerDay: 500 } }), model });
  const { visitor: ann } = await signInNew(server, await signInAdmin(server), {
    ...{ username: 'ann', groups: ['staff'] },
  });
  const failed = await takeTurn(ann, { message: 'Hello' });
  expect(failed.events.at(-1)).toMatchObject({ type: 'error' });
  expect((await complete(ann)).status).toBe(200);
  expect(await say(ann)).toBe(200);
});

test("many concurrent requests cannot exceed a group's shared quota", async () => {
  const files = withQuotas({}, { staff: { together: { turnsPerDay: 3 } } });
  server = await startTestServer({ files });
  const admin = await signInAdmin(server);
  const names = ['ann', 'ben', 'cleo', 'dan', 'eve', 'flo'];
  const members = await Promise.all(
    names.map((username) => signInNew(server, admin, { username, groups: ['staff'] })),
  );
  const answers = await Promise.all(members.map(({ visitor }) => say(visitor)));
  expect(answers.filter((status) => status === 200)).toHaveLength(3);
  expect(answers.filter((status) => status === 429)).toHaveLength(3);
});

test("operators find no warning in the log after a guest's answer", async () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  server = await startTestServer({ log });
  expect(await say(await signInAdmin(server))).toBe(200);
  expect(await say(server.visitor())).toBe(200);
  await server.close();
  expect(lines).toEqual([]);
});
