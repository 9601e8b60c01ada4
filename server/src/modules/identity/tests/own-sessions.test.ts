import { setTimeout as wait } from 'node:timers/promises';
import { accountApi } from '@knowhow/shared/access/account';
import { meSchema } from '@knowhow/shared/access/auth';
import { afterEach, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readTurn } from '../../../testing/turn-stream.ts';

let server: TestServer;
afterEach(() => server.close());

const address = '/api/account/sessions';
const sessionsOf = async (visitor: Visitor) =>
  (await parseAnswer(accountApi.sessions.response, visitor(address))).items;
const isSignedIn = async (visitor: Visitor) =>
  !(await parseAnswer(meSchema, visitor('/api/auth/me'))).anonymous;

/** Signs in as `admin` in a browser with this user agent. */
async function signInWith(userAgent: string) {
  const visitor = server.visitor();
  const json = { username: 'admin', password: adminPassword };
  await visitor('/api/auth/login', { json, headers: { 'User-Agent': userAgent } });
  return visitor;
}

test('a user sees their active sessions, and ends one; its running answer stops', async () => {
  const hang = (signal: AbortSignal) => wait(60_000, undefined, { signal });
  const model = scriptedModel([{ type: 'text', text: 'Half' }, hang]);
  server = await startTestServer({ model: model.ask });
  const here = await signInWith('Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0');
  const phone = await signInWith(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
  );
  const third = await signInAdmin(server);
  const found = await sessionsOf(here);
  expect(found).toHaveLength(3);
  expect(found.find(({ isCurrent }) => isCurrent)).toMatchObject({
    ...{ browser: 'Firefox', system: 'Windows', address: '127.0.0.1' },
  });
  const other = found.find(({ system }) => system === 'iOS');
  expect(other).toMatchObject({ browser: 'Safari', isCurrent: false });

  const conversation = crypto.randomUUID();
  const turn = await readTurn(phone, `/api/apps/chat/chat/${conversation}`, {
    json: { message: 'Go on.' },
  });
  await turn.says('Half');
  const end = (visitor: Visitor) => visitor(`${address}/${other?.id}`, { method: 'DELETE' });
  expect((await end(server.visitor())).status).toBe(404);
  expect((await end(here)).status).toBe(204);
  expect((await end(here)).status).toBe(404);
  await turn.ended;
  expect(turn.events().at(-1)?.event).toMatchObject({ type: 'error', code: 'not-signed-in' });
  expect(await isSignedIn(phone)).toBe(false);

  expect((await here(address, { method: 'DELETE' })).status).toBe(204);
  expect([await isSignedIn(here), await isSignedIn(third)]).toEqual([true, false]);
  expect(await sessionsOf(here)).toHaveLength(1);
  const audit = await (await here('/api/admin/audit?kind=session&limit=2')).json();
  expect(audit).toMatchObject({
    items: [{ action: 'ended-others' }, { action: 'ended', before: { system: 'iOS' } }],
  });
});

test('a guest has no sessions to list or end', async () => {
  server = await startTestServer();
  const guest = server.visitor();
  expect(await sessionsOf(guest)).toEqual([]);
  expect((await guest(address, { method: 'DELETE' })).status).toBe(403);
});
