import { join } from 'node:path';
import { providerKeysApi } from '@knowhow/shared/access/provider-keys';
import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { readTrace } from '../../../testing/read-trace.ts';
import { startScriptedHttp } from '../../../testing/scripted-http.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  modelWith,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { openModel as openAsProduct } from '../open-model.ts';

let server: TestServer;
afterEach(() => server.close());

const address = '/api/admin/provider-keys';
const put = (admin: Visitor, variable: string, key: string) =>
  admin(`${address}/${variable}`, { method: 'PUT', json: { key } });
const keyOf = async (admin: Visitor, variable: string) => {
  const { items } = await parseAnswer(providerKeysApi.list.response, admin(address));
  return items.find((key) => key.variable === variable);
};
const isTested = async (admin: Visitor) => {
  const path = '/api/admin/models/scripted/test';
  const answer = admin(path, { method: 'POST' });
  return (await parseAnswer(adminModelsApi.test.response, answer)).works;
};
const say = async (visitor: Visitor) => (await takeTurn(visitor, { message: 'Hello' })).status;

test('an entered key applies immediately and after a restart; it cannot be read again', async () => {
  const asked: (string | undefined)[] = [];
  const openModel = (_config: unknown, key: string | undefined) => {
    asked.push(key);
    return scriptedModel(says('Hello.')).ask;
  };
  const files = modelWith({ provider: 'openai' });
  server = await startTestServer({ files, openModel });
  const admin = await signInAdmin(server);
  expect(await keyOf(admin, 'OPENAI_API_KEY')).toMatchObject({
    ...{ source: 'none', models: ['scripted'] },
  });
  expect([await isTested(admin), await say(admin)]).toEqual([false, 503]);
  expect((await put(admin, 'OPENAI_API_KEY', ' sk-first-key ')).status).toBe(204);
  expect([await isTested(admin), await say(admin)]).toEqual([true, 200]);
  await put(admin, 'OPENAI_API_KEY', 'sk-second-key');
  expect(await say(admin)).toBe(200);
  // A title may have been requested, too.
  expect([...new Set(asked)]).toEqual(['sk-first-key', 'sk-second-key']);
  expect(await keyOf(admin, 'OPENAI_API_KEY')).toMatchObject({
    ...{ source: 'entered', enteredBy: 'Admin' },
  });
  const audit = await (await admin('/api/admin/audit?kind=key')).text();
  expect(JSON.parse(audit)).toMatchObject({
    items: [{ action: 'key-entered' }, { action: 'key-entered', target: 'OPENAI_API_KEY' }],
  });
  const database = await openTestDatabase(join(server.folder, 'data'));
  const rows = await database.selectFrom('provider_keys').selectAll().execute();
  await database.destroy();
  expect(audit + JSON.stringify(rows)).not.toContain('sk-');

  const { folder } = server;
  await server.close();
  server = await startTestServer({ folder, openModel });
  const again = await signInAdmin(server);
  expect(await say(again)).toBe(200);
  expect(asked.at(-1)).toBe('sk-second-key');
  await again(`${address}/OPENAI_API_KEY`, { method: 'DELETE' });
  expect(await say(again)).toBe(503);
});

test("the environment's key takes precedence over an entered one, and is shown as such", async () => {
  const asked: (string | undefined)[] = [];
  server = await startTestServer({
    files: modelWith({ provider: 'openai' }),
    environment: { OPENAI_API_KEY: 'sk-of-environment' },
    openModel: (_config, key) => {
      asked.push(key);
      return scriptedModel(says('Hello.')).ask;
    },
  });
  const admin = await signInAdmin(server);
  await put(admin, 'OPENAI_API_KEY', 'sk-entered');
  expect(await keyOf(admin, 'OPENAI_API_KEY')).toMatchObject({
    ...{ source: 'environment', enteredBy: 'Admin' },
  });
  expect(await say(admin)).toBe(200);
  expect(asked).toEqual(['sk-of-environment']);
  expect((await put(admin, 'PATH', 'sk-entered')).status).toBe(400);
  expect((await put(admin, 'OPENAI_API_KEY', 'two words')).status).toBe(400);
  expect(await (await admin(address)).text()).not.toContain('sk-');
});

test('an entered key is in no trace, and in no provider error', async () => {
  const key = 'entered-1234567890';
  const provider = await startScriptedHttp();
  onTestFinished(provider.close);
  const error = { code: 'bad_key', message: `We do not know ${key}.` };
  provider.reply({
    status: 401,
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify({ error })],
  });
  server = await startTestServer({
    files: modelWith({ provider: 'openai', url: provider.origin }),
    openModel: (config, used) => openAsProduct(config, used, { backOffMs: [1] }),
  });
  const admin = await signInAdmin(server);
  await put(admin, 'OPENAI_API_KEY', key);
  const turn = await takeTurn(admin, { message: `My ${key}` });
  const trace = JSON.stringify(await readTrace(admin, turn));
  expect(trace).toContain('My ***');
  expect(trace).not.toContain(key);
  expect(turn.events.at(-1)).toMatchObject({ reason: '401 bad_key: We do not know [key].' });
});
