import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { type ScriptedHttp, startScriptedHttp } from '../../../testing/scripted-http.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { openModel } from '../open-model.ts';

let provider: ScriptedHttp;
let server: TestServer;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  provider = await startScriptedHttp();
  lines = [];
  const model = { id: 'scripted', modelId: 'p', name: 'Paid', provider: 'local' };
  server = await startTestServer({
    files: { 'models/scripted.json': { ...model, url: provider.origin } },
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }),
    openModel: (config, key) => openModel(config, key, { backOffMs: [1] }),
    environment: { SCRIPTED_API_KEY: 'the-secret-key' },
  });
});
afterEach(async () => {
  await server.close();
  await provider.close();
});

const refusal = (status: number) => ({
  status,
  headers: { 'content-type': 'application/json' },
  chunks: [
    JSON.stringify({
      error: { code: 'bad_org', message: `the-secret-key at ${provider.origin}/v1` },
    }),
  ],
});

test("only administrators see the provider's reason in the chat", async () => {
  provider.reply(refusal(401), refusal(401));
  const admin = await signInAdmin(server);
  const { events, conversationId } = await takeTurn(admin, { message: 'A' });
  const reason = '401 bad_org: [key] at [address]';
  expect(events.at(-1)).toMatchObject({ type: 'error', code: 'model-unauthorized', reason });
  const { messages } = await readConversation(admin, conversationId);
  expect(messages[1]).toMatchObject({ error: { reason } });

  const { body } = await takeTurn(server.visitor(), { message: 'A' });
  expect(body).toContain('model-unauthorized');
  expect(body).not.toContain('bad_org');
});

test('a reason contains no part of the key, and is found in nested errors', async () => {
  const levels = 20_000;
  const deep = `{"error":{"code":"deep","message":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`;
  const part = '{"error":{"message":"no ecret-key"}}';
  provider.reply({ ...refusal(400), chunks: [deep] }, { ...refusal(400), chunks: [part] });
  const admin = await signInAdmin(server);
  const reasons = [];
  for (const message of ['A', 'B']) {
    reasons.push((await takeTurn(admin, { message })).events.at(-1));
  }
  expect(reasons).toMatchObject([
    { code: 'model-failed', reason: '400 deep' },
    { code: 'model-failed', reason: '400: no [key]' },
  ]);
});

test('each log line of a turn contains user, conversation, request and model, and the reason', async () => {
  provider.reply(refusal(503), refusal(500));
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  const { conversationId } = await takeTurn(visitor, { message: 'A' });
  const turn = lines.filter(({ conversation }) => conversation === conversationId);
  expect(turn).toMatchObject([
    { msg: 'the model is asked again', error: { reason: '503 bad_org: [key] at [address]' } },
    { msg: 'a turn failed', error: { reason: '500 bad_org: [key] at [address]' } },
  ]);
  for (const line of turn) {
    expect(line).toMatchObject({
      user: expect.stringMatching(/^anonymous:/),
      request: expect.stringMatching(/^[0-9a-f-]{36}$/),
      model: 'scripted',
    });
  }
  expect(JSON.stringify(lines)).not.toMatch(/secret-key|127\.0\.0\.1/);
});

test('a response contains the same request ID as the log', async () => {
  const { headers } = await server.visitor()('/api/health');
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
});
