import { api } from '@knowhow/shared/api';
import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAiChatWire } from '../../../testing/openai-chat-wire.ts';
import { type ScriptedHttp, startScriptedHttp } from '../../../testing/scripted-http.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { openModel } from '../open-model.ts';

const key = 'sk-LEAKME-0123456789';

let provider: ScriptedHttp;
let server: TestServer | undefined;
beforeEach(async () => {
  provider = await startScriptedHttp();
});
afterEach(async () => {
  await server?.close();
  await provider.close();
});

/** This machine under a name that is not recognised as local. */
const otherName = () => provider.origin.replace('127.0.0.1', '0.0.0.0');

async function start(model: object, environment: Record<string, string> = {}) {
  server = await startTestServer({
    openModel,
    environment: { OPENAI_API_KEY: key, ...environment },
    files: {
      'models/scripted.json': { id: 'scripted', modelId: 'm', name: 'Mo', ...model },
    },
  });
  const admin = await signInAdmin(server);
  return {
    visitor: server.visitor(),
    admin,
    tryOut: async () => {
      const response = await admin('/api/admin/models/scripted/test', { method: 'POST' });
      return adminModelsApi.test.response.parse(await response.json());
    },
  };
}

const answers = () =>
  provider.reply({ chunks: openAiChatWire.answer({ text: ['OK'], stop: 'stop' }) });
const sent = () => JSON.stringify(provider.requests.map(({ headers, body }) => [headers, body]));

describe("a vendor's API key", () => {
  test.each([
    ['its own provider', { provider: 'openai' }],
    ['its provider through another URL', { provider: 'openai-responses' }],
    ['a variable named after it', { provider: 'openai', apiKeyEnv: 'OPENAI_API_KEY' }],
  ])('is never sent to a host that is not allowed, by %s', async (_name, model) => {
    const { visitor, admin, tryOut } = await start({ ...model, url: otherName() });
    answers();
    const host = otherName();
    expect(await tryOut()).toMatchObject({
      works: false,
      message: `The model "Mo" is not asked. The key of OPENAI_API_KEY is not sent to ${host}. The server's operator can allow it: MODEL_HOSTS=${host}`,
    });
    expect((await takeTurn(visitor, { message: 'Hello' })).status).toBe(503);
    expect(provider.requests).toEqual([]);
    const states = await (await admin('/api/admin/model-states')).json();
    expect(states).toMatchObject({
      items: [{ id: 'scripted', withheld: { variable: 'OPENAI_API_KEY', host } }],
    });
    const seen = async (who: typeof admin) =>
      api.models.list.response.parse(await (await who('/api/models')).json()).items;
    expect(await seen(visitor)).toEqual([]);
    expect(await seen(admin)).toMatchObject([{ needs: `needs MODEL_HOSTS=${host}` }]);
  });

  test('is sent to this machine, and to a host that the environment allows', async () => {
    const { tryOut } = await start({ provider: 'openai', url: provider.origin });
    answers();
    expect(await tryOut()).toMatchObject({ works: true });
    await server?.close();
    const MODEL_HOSTS = otherName();
    const other = await start({ provider: 'openai', url: otherName() }, { MODEL_HOSTS });
    answers();
    expect(await other.tryOut()).toMatchObject({ works: true });
    const authorization = `Bearer ${key}`;
    expect(provider.requests).toMatchObject([
      { headers: { authorization } },
      { headers: { authorization } },
    ]);
  });

  test('does not follow a redirect', async () => {
    const target = await startScriptedHttp();
    try {
      const { tryOut } = await start({ provider: 'openai', url: provider.origin });
      for (const status of [301, 302, 303, 307, 308]) {
        provider.reply({ status, headers: { location: `${target.origin}/v1` } });
        expect(await tryOut()).toMatchObject({
          works: false,
          message: expect.stringContaining('leads elsewhere'),
        });
      }
      expect(provider.requests).toHaveLength(5);
      expect(target.requests).toEqual([]);
    } finally {
      await target.close();
    }
  });

  test('is not used for a local model of the same name', async () => {
    const { admin } = await start({ provider: 'local', url: provider.origin });
    const openai = { modelId: 'm', name: 'Mo', provider: 'local', url: provider.origin };
    const put = await admin('/api/admin/models/openai', { method: 'PUT', json: openai });
    expect(put.status).toBe(200);
    answers();
    await admin('/api/admin/models/openai/test', { method: 'POST' });
    expect(provider.requests).toHaveLength(1);
    expect(sent()).not.toContain('LEAKME');
  });

  test('is not leaked by a provider that echoes it', async () => {
    const { visitor, tryOut } = await start({ provider: 'openai', url: provider.origin });
    const echo = { error: { message: `Incorrect API key provided: ${key}.` } };
    const headers = { 'content-type': 'application/json' };
    const refused = { status: 401, headers, chunks: [JSON.stringify(echo)] };
    const broken = { chunks: [`data: ${JSON.stringify(echo)}\n\n`] };
    provider.reply(refused, broken, refused, broken);
    const shown = [
      await tryOut(),
      await tryOut(),
      (await takeTurn(visitor, { message: 'Hello' })).events,
      (await takeTurn(visitor, { message: 'Hello' })).events,
    ];
    expect(provider.requests).toHaveLength(4);
    expect(JSON.stringify(shown)).not.toContain('LEAKME');
  });
});

describe('rejects a model file', () => {
  test.each([
    ['a key variable with another name', { apiKeyEnv: 'PGPASSWORD' }, 'apiKeyEnv'],
    ['the key of another vendor', { apiKeyEnv: 'ANTHROPIC_API_KEY' }, 'apiKeyEnv'],
    ['a password in its URL', { url: 'https://me:secret@example.org' }, 'url'],
  ])('with %s', async (_name, fields, path) => {
    const { admin } = await start({ provider: 'openai' });
    const json = { modelId: 'm', name: 'N', provider: 'openai', ...fields };
    const response = await admin('/api/admin/models/new', { method: 'PUT', json });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path }] });
  });
});

test("a model at a URL on the server's own host is not called", async () => {
  const { tryOut } = await start({ provider: 'local', url: 'http://169.254.169.254/v1' });
  expect(await tryOut()).toMatchObject({
    works: false,
    message: expect.stringContaining('only a machine and its host share'),
  });
});
