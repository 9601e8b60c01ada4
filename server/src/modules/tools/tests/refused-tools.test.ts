import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { healthApi } from '@knowhow/shared/config/health';
import { modelsApi } from '@knowhow/shared/config/models';
import { afterEach, expect, test } from 'vitest';
import { openAiChatWire } from '../../../testing/openai-chat-wire.ts';
import { type ScriptedHttp, startScriptedHttp } from '../../../testing/scripted-http.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  withAllTools,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';
import { openModel } from '../../models/open-model.ts';

let provider: ScriptedHttp;
let server: TestServer;
afterEach(async () => {
  await server.close();
  await provider.close();
});

interface Body {
  tools?: unknown[];
  messages: { role: string; content: string }[];
}

const isRouting = ({ messages }: Body) =>
  messages[0]?.content.startsWith('You choose which skills') === true;
const choice = JSON.stringify({ selected_skill_names: ['meeting-notes'], reasoning: 'It fits.' });
const config = { id: 'scripted', modelId: 'm', name: 'Mo', provider: 'local', default: true };

/** A model server that rejects requests with tools, with this message. */
async function start(message: string, status = 400, files: Files = {}): Promise<void> {
  provider = await startScriptedHttp(({ body }) => {
    const asked = body as Body;
    if (asked.tools) {
      return { status, chunks: [JSON.stringify({ error: { message } })] };
    }
    const text = [isRouting(asked) ? choice : 'Done.'];
    return { chunks: openAiChatWire.answer({ text }) };
  });
  server = await startTestServer({
    openModel: (model, key) => openModel(model, key, { backOffMs: [] }),
    files: { 'models/scripted.json': { ...config, url: provider.origin }, ...files },
  });
}

/** The requests in order: with tools, routing with these skills, or answer only. */
const asked = () =>
  provider.requests.map(({ body }) => {
    if ((body as Body).tools) {
      return 'with tools';
    }
    return isRouting(body as Body) ? 'which skills' : 'without tools';
  });
const turn = () => takeTurn(server.visitor(), { message: 'Sort these notes' });

test('a turn continues without tools, and skills are chosen for it; so do later turns', async () => {
  await start('gemma:2b does not support tools');
  const { events, text } = await turn();
  expect(text).toBe('Done.');
  expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.activation', name: 'meeting-notes', via: 'router' }),
  );
  expect(asked()).toEqual(['with tools', 'which skills', 'without tools']);
  const last = JSON.stringify(provider.requests.at(-1)?.body);
  expect(last).toContain('<skill_content name=');
  expect(last).not.toMatch(/activate_skill|read_skill_resource/);
  await turn();
  expect(asked().slice(3)).toEqual(['which skills', 'without tools']);
});

test('administrators see it with the next step, until the model is reconfigured', async () => {
  await start('gemma:2b does not support tools');
  const admin = await signInAdmin(server);
  const read = async () => {
    const [models, states, faults] = await Promise.all(
      ['/api/models', '/api/admin/model-states', '/api/admin/faults'].map(async (path) =>
        (await admin(path)).json(),
      ),
    );
    return {
      model: modelsApi.list.response.parse(models).items[0],
      state: adminModelsApi.states.response.parse(states).items[0],
      faults: healthApi.faults.response.parse(faults).items,
    };
  };
  const before = await read();
  expect(before).toMatchObject({ model: { supportsTools: true }, faults: [] });
  expect(before.state?.refusesTools).toBeUndefined();
  await turn();
  expect(await read()).toMatchObject({
    model: { supportsTools: false },
    state: { refusesTools: true },
    faults: [
      {
        path: 'contents/models/scripted.json',
        field: 'supportsTools',
        message: expect.stringMatching(/"Mo" has refused tools\..+Set "supportsTools": false here/),
      },
    ],
  });
  const other = { ...config, url: provider.origin, description: 'With another template.' };
  const put = await admin('/api/admin/models/scripted', { method: 'PUT', json: other });
  expect(put.status).toBe(200);
  expect(await read()).toMatchObject({ model: { supportsTools: true }, faults: [] });
  await turn();
  expect(asked().slice(-3)).toEqual(['with tools', 'which skills', 'without tools']);
});

test.each([
  ['registry.ollama.ai/library/gemma:2b does not support tools', 400],
  ['No endpoints found that support tool use.', 404],
  ['deepseek-reasoner does not support Function Calling', 400],
  ['Function calling is not enabled for models/gemma-3-27b-it', 400],
  ["Unsupported parameter: 'tools' is not supported with this model.", 400],
  ['`tool calling` is not supported with this model', 400],
  ['"auto" tool choice requires --enable-auto-tool-choice to be set', 400],
  ['tools param requires --jinja flag', 500],
])("recognises the server's message: %s", async (message, status) => {
  await start(message, status);
  expect((await turn()).text).toBe('Done.');
});

test('an app that gives all skills to such models does so from the next message on', async () => {
  await start('gemma:2b does not support tools', 400, {
    'apps/chat.json': {
      id: 'chat',
      name: 'Chat',
      skills: ['*'],
      skillSettings: { autoActivate: true },
    },
  });
  const activatedBy = async () =>
    (await turn()).events.flatMap((event) =>
      event.type === 'skill.activation' ? [`${event.via} ${event.name}`] : [],
    );
  expect(await activatedBy()).toEqual(['router meeting-notes']);
  expect(await activatedBy()).toEqual(['app meeting-notes', 'app release-notes']);
});

test('any other rejection ends the turn', async () => {
  await start('The tools you sent are too many.');
  expect((await turn()).events.at(-1)).toMatchObject({ type: 'error', code: 'model-failed' });
  expect(asked()).toEqual(['with tools']);
});

const faultsNow = async () => {
  const admin = await signInAdmin(server);
  const answer = await admin('/api/admin/faults');
  return healthApi.faults.response.parse(await answer.json()).items;
};

test.each([
  ['by its name', (name: string) => `Invalid schema for function '${name}': bad keyword.`],
  [
    'by its position',
    (name: string, at: number) =>
      `tools.${at}.custom.input_schema: ${name.length} keywords of JSON schema are not supported`,
  ],
  [
    'by its position in a list',
    (_: string, at: number) =>
      `GenerateContentRequest.tools[0].function_declarations[${at}].parameters: bad schema`,
  ],
])('drops a tool whose schema a server rejects %s, and tells administrators', async (_, words) => {
  const namesIn = (body: unknown) =>
    ((body as Body).tools ?? []).map(
      (tool) => (tool as { function: { name: string } }).function.name,
    );
  provider = await startScriptedHttp(({ body }) => {
    const at = namesIn(body).indexOf('calculate');
    return at < 0
      ? { chunks: openAiChatWire.answer({ text: ['Done.'] }) }
      : { status: 400, chunks: [JSON.stringify({ error: { message: words('calculate', at) } })] };
  });
  server = await startTestServer({
    openModel: (model, key) => openModel(model, key, { backOffMs: [] }),
    files: { ...withAllTools, 'models/scripted.json': { ...config, url: provider.origin } },
  });
  expect((await turn()).text).toBe('Done.');
  expect(namesIn(provider.requests[0]?.body)).toContain('calculate');
  const last = namesIn(provider.requests.at(-1)?.body);
  expect(last).not.toContain('calculate');
  expect(last.length).toBe(namesIn(provider.requests[0]?.body).length - 1);
  expect(await faultsNow()).toMatchObject([
    { path: 'contents/models/scripted.json', message: expect.stringContaining('"calculate"') },
  ]);
  const asked = provider.requests.length;
  await turn();
  expect(provider.requests.length).toBe(asked + 1);
});

test('tells administrators when a server counted far fewer tokens than were sent', async () => {
  let counted = 2050;
  provider = await startScriptedHttp(() => ({
    chunks: [
      ...openAiChatWire.answer({ text: ['Done.'] }).slice(0, -1),
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: counted, completion_tokens: 1, total_tokens: counted + 1 } })}\n\n`,
      'data: [DONE]\n\n',
    ],
  }));
  server = await startTestServer({
    openModel: (model, key) => openModel(model, key, { backOffMs: [] }),
    files: { 'models/scripted.json': { ...config, url: provider.origin } },
  });
  const ask = () => takeTurn(server.visitor(), { message: 'Many words. '.repeat(8000) });
  expect((await ask()).text).toBe('Done.');
  expect(await faultsNow()).toMatchObject([
    {
      field: 'contextWindow',
      message: expect.stringMatching(/counted 2050 tokens .* about \d+\./),
    },
  ]);
  counted = 24_000;
  await ask();
  expect(await faultsNow()).toEqual([]);
});
