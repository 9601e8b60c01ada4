import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { problem } from '@knowhow/shared/problem';
import { afterEach, describe, expect, test } from 'vitest';
import { locales } from '../../../platform/lib/locales.ts';
import { type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;
afterEach(() => server.close());

const files = {
  'models/paid.json': { id: 'paid', modelId: 'p', name: 'Paid', provider: 'anthropic' },
  'models/off.json': { id: 'off', modelId: 'o', name: 'Off', provider: 'demo', enabled: false },
};

async function start(...script: Step[]) {
  return startWith({}, ...script);
}

async function startWith(more: Record<string, object>, ...script: Step[]) {
  const model = scriptedModel(...script);
  server = await startTestServer({ files: { ...files, ...more }, model: model.ask });
  admin = await signInAdmin(server);
  return model;
}

const tryOut = async (id: string) => {
  const response = await admin(`/api/admin/models/${id}/test`, { method: 'POST' });
  expect(response.status).toBe(200);
  return adminModelsApi.test.response.parse(await response.json());
};

test('the states show missing keys, also of models that are off', async () => {
  await start();
  const response = await admin('/api/admin/model-states');
  expect(adminModelsApi.states.response.parse(await response.json()).items).toEqual([
    { id: 'off', found: false },
    { id: 'paid', found: false, needs: 'ANTHROPIC_API_KEY' },
    { id: 'scripted', found: false },
  ]);
});

describe('a provider', () => {
  const unknown = { modelId: 'x', name: 'X', provider: 'unknown' };
  const list = async () => {
    const response = await admin('/api/admin/model-providers');
    return adminModelsApi.providers.response.parse(await response.json()).items;
  };
  const words = async () => {
    const known = (await list()).map(({ id }) => `"${id}"`).join(', ');
    return `This must be one of ${known}.`;
  };

  test('that is unknown is an issue of the file, which lists the known ones', async () => {
    await startWith({ 'models/odd.json': { id: 'odd', ...unknown } });
    const item = await (await admin('/api/admin/models/odd')).json();
    expect(item).toMatchObject({
      path: 'contents/models/odd.json',
      fault: { field: 'provider', message: await words() },
    });
  });

  test('that is unknown is rejected with the same message', async () => {
    await start();
    const put = await admin('/api/admin/models/odd', { method: 'PUT', json: unknown });
    expect(put.status).toBe(400);
    expect(await put.json()).toMatchObject({
      issues: [{ path: 'provider', message: await words() }],
    });
  });

  test('is listed with its common name, and every listed one can be selected', async () => {
    await start();
    const items = await list();
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(['openai', 'local', 'demo']));
    expect(items[0]?.label).toMatchObject({
      en: 'OpenAI and compatible (chat completions)',
      de: 'OpenAI und kompatible (Chat Completions)',
    });
    const languages = [...locales.keys()].toSorted();
    for (const { label } of items.filter(({ label }) => typeof label === 'object')) {
      expect(Object.keys(label).toSorted()).toEqual(languages);
    }
    for (const { id: provider } of items) {
      const json = { ...unknown, provider };
      const put = await admin(`/api/admin/models/of-${provider}`, { method: 'PUT', json });
      expect(put.status).toBe(200);
    }
  });
});

test('a model that responds passes the test, also while it is off', async () => {
  const model = await start(says(' OK. '));
  expect(await tryOut('scripted')).toMatchObject({ works: true, answer: 'OK.' });
  expect(await tryOut('off')).toMatchObject({ works: true });
  expect(model.requests[0]?.messages).toHaveLength(1);
});

test.each<[string, Step, string]>([
  ['fails', [problem('model-unauthorized', 'It refused its key.')], 'It refused its key.'],
  ['returns nothing', [{ type: 'stop', reason: 'stop' }], 'an empty answer'],
])('a model that %s fails the test, with the reason', async (_what, step, words) => {
  await start(step);
  const trial = await tryOut('scripted');
  expect(trial).toMatchObject({ works: false, message: expect.stringContaining(words) });
});

test("a failing model is shown with its provider's message", async () => {
  const reason = '401 bad_org: No such organisation.';
  await start([problem('model-unauthorized', 'It refused its key.', { reason })]);
  expect(await tryOut('scripted')).toMatchObject({ works: false, reason });
});

test('a model without its key is not called', async () => {
  const model = await start(says('OK'));
  expect(await tryOut('paid')).toMatchObject({
    works: false,
    message: expect.stringContaining('ANTHROPIC_API_KEY'),
  });
  expect(model.requests).toEqual([]);
});

test('an unknown model is not found', async () => {
  await start();
  expect((await admin('/api/admin/models/nope/test', { method: 'POST' })).status).toBe(404);
});
