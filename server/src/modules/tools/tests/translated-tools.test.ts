import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { problemSchema } from '@knowhow/shared/problem';
import { expect, onTestFinished, test } from 'vitest';
import { locales } from '../../../platform/lib/locales.ts';
import { openAiChatWire } from '../../../testing/openai-chat-wire.ts';
import { startScriptedHttp } from '../../../testing/scripted-http.ts';
import { calls, type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles, startTestServer, withAllTools } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { testSource, testTool } from '../../../testing/tool-source.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelRequest, ModelTool } from '../../models/model.ts';
import { openModel } from '../../models/open-model.ts';

const german = { 'accept-language': 'de-DE,de;q=0.9' };
const on = { 'config/skills.json': { settings: { translateTools: true } } };

interface Setting {
  script?: Step[];
  files?: Files;
  /** Names of tools that another server provides. */
  others?: readonly string[];
  environment?: Record<string, string>;
}

async function start({
  script = [says('Gut.')],
  files = on,
  others = [],
  environment,
}: Setting = {}) {
  const model = scriptedModel(...script);
  const own = { kind: 'builtin', id: 'office' } as const;
  const server = await startTestServer({
    model: model.ask,
    files: { ...withAllTools, ...files },
    toolSources: [
      testSource(
        others.map((name) => testTool({ name })),
        own,
      ),
    ],
    ...(environment ? { environment } : {}),
  });
  onTestFinished(server.close);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  return { model, server, visitor };
}

const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];
const tool = (request: ModelRequest | undefined, name: string) =>
  request?.tools.find((each) => each.name === name);

test.each([
  ['de', 'berechne'],
  ['de-AT', 'berechne'],
  ['DE', 'berechne'],
  ['de-DE,de;q=0.9,en;q=0.5', 'berechne'],
  ['en', 'calculate'],
  ['en-GB', 'calculate'],
  ['es-MX', 'calcular'],
  ['fr', 'calculer'],
  ['ja', 'calculate'],
  ['qaa', 'calculate'],
  ['constructor', 'calculate'],
  ['den', 'calculate'],
  ['*', 'calculate'],
])('with the setting on, a user who reads %s gets the tool %s', async (language, name) => {
  const { model, visitor } = await start();
  await takeTurn(visitor, { message: 'Hallo', headers: { 'accept-language': language } });
  expect(names(model.requests[0])).toContain(name);
});

test.each([
  ['it is not set', {}],
  ['it is off', { 'config/skills.json': { settings: { translateTools: false } } }],
])('a German user gets the tools in English while %s', async (_, files: Files) => {
  const { model, visitor } = await start({ files });
  await takeTurn(visitor, { message: 'Hallo', headers: german });
  expect(tool(model.requests[0], 'calculate')?.description).toMatch(/^Evaluates/);
  expect(JSON.stringify(model.requests[0]?.tools)).not.toMatch(/translations|Lädt|Berechnet/);
});

/** By tool and parameter; a parameter whose name says enough has none. */
function describedIn({ name, description, parameters }: ModelTool): Record<string, unknown> {
  const described = Object.entries(parameters.properties)
    .filter(([, property]) => property.description !== undefined)
    .map(([key, property]) => [`${name} ${key}`, property.description]);
  return { [name]: description, ...Object.fromEntries(described) };
}

/** Matches a text whose placeholders are filled in. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[^\w\s]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}`);
}

const others = [...locales].filter(([language]) => language !== 'en');

/** All built-in tools as offered to a user with this language. */
async function offerAll(language: string): Promise<ModelTool[]> {
  const { model, visitor } = await start({
    environment: { SCRIPT_RUNNER: 'auto' },
    others: Array.from({ length: 60 }, (_, at) => `other_${at}`),
    files: {
      'config/skills.json': {
        settings: { translateTools: true, allowScriptExecution: true },
        skills: { 'meeting-notes': { allowScriptExecution: true } },
      },
      'skills/meeting-notes/scripts/count.sh': 'wc -w\n',
      'apps/chat.json': {
        ...defaultFiles['apps/chat.json'],
        skillSettings: { discoveryMode: 'search' },
        tools: ['*', 'calculate', 'current_time', 'ask_user', 'fetch_page', 'run_skill_script'],
      },
    },
  });
  const sent = await visitor('/api/files?name=long.txt', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: 'A heron wades. '.repeat(40_000),
  });
  const { id } = attachmentSchema.parse(await sent.json());
  const headers = { 'accept-language': language };
  await takeTurn(visitor, { message: 'Hallo', headers, attachments: [id] });
  return (model.requests[0]?.tools ?? []).filter(({ name }) => !name.startsWith('other_'));
}

test.each(others)(
  'names, descriptions and parameters of all built-in tools are in the language %s, and valid',
  async (language, { tools, toolVariants }) => {
    const english = await offerAll('en');
    const own = await offerAll(language);
    const translations = [...Object.values(tools), ...Object.values(toolVariants)]
      .flatMap(({ description, parameters }) => [description, ...Object.values(parameters)])
      .map(patternOf);
    expect(own.map(({ name }) => name).toSorted()).toEqual(
      Object.values(tools)
        .map(({ name }) => name)
        .toSorted(),
    );
    const texts = own.flatMap((each) => Object.values(describedIn(each)));
    expect(texts).toHaveLength(english.flatMap((each) => Object.keys(describedIn(each))).length);
    for (const text of texts) {
      expect(
        translations.some((pattern) => pattern.test(String(text))),
        String(text),
      ).toBe(true);
    }
    expect(JSON.stringify(own)).not.toMatch(/undefined|\{\{/);
    for (const { name, description } of own) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length).toBeLessThanOrEqual(1024);
      const isEnglish = Object.hasOwn(tools, name);
      expect(english.some((each) => description.includes(`: ${each.name}`))).toBe(!isEnglish);
    }
  },
);

test.each(others)('a call by the name in %s runs the tool', async (language, { tools }) => {
  const script = [calls([tools.calculate.name, { expression: '1+1' }]), says('2.')];
  const { model, visitor } = await start({ script });
  const turn = await takeTurn(visitor, {
    message: '1+1',
    headers: { 'accept-language': language },
  });
  expect(turn.events).toContainEqual(
    expect.objectContaining({ type: 'tool.call.start', name: 'calculate' }),
  );
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    name: tools.calculate.name,
    content: '1+1 = 2',
  });
});

test.each(['aktiviere_skill', 'activate_skill'])(
  'a call of %s activates the skill, and permissions, records and the chat use the English name',
  async (name) => {
    const script = [calls([name, { skill_name: 'meeting-notes' }]), says('Gut.')];
    const { model, visitor } = await start({ script });
    const turn = await takeTurn(visitor, { message: 'Protokoll', headers: german });
    expect(turn.events).toContainEqual(expect.objectContaining({ type: 'skill.activation' }));
    expect(turn.events).toContainEqual(
      expect.objectContaining({ type: 'tool.call.start', name: 'activate_skill' }),
    );
    const { messages } = await readConversation(visitor, turn.conversationId);
    expect(messages[1]).toMatchObject({ toolCalls: [{ name: 'activate_skill' }] });
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', toolCalls: [{ name: 'aktiviere_skill' }] },
      { role: 'tool', name: 'aktiviere_skill', isError: false },
    ]);
  },
);

test.each([
  [true, 'calculate', 'berechne'],
  [false, 'berechne', 'calculate'],
])('a conversation continues after the setting becomes %s', async (value, before, after) => {
  const skillsFile = { settings: { translateTools: !value } };
  const script = [
    calls([before, { expression: '1+1' }]),
    says('2.'),
    calls([before, { expression: '2+2' }], [after, { expression: '3+3' }]),
    says('4 und 6.'),
  ];
  const { model, server, visitor } = await start({
    script,
    files: { 'config/skills.json': skillsFile },
  });
  const { conversationId } = await takeTurn(visitor, { message: 'Rechne', headers: german });
  const admin = await signInAdmin(server);
  const json = { translateTools: value };
  const changed = await admin('/api/admin/settings/skills', { method: 'PUT', json });
  expect(changed.status).toBe(200);
  const { text } = await takeTurn(visitor, { message: 'Weiter', conversationId, headers: german });
  expect(text).toBe('4 und 6.');
  const last = model.requests.at(-1)?.messages ?? [];
  const results = last.filter(({ role }) => role === 'tool');
  expect(results).toMatchObject([
    { name: after, content: '1+1 = 2' },
    { name: after, content: '2+2 = 4' },
    { name: after, content: '3+3 = 6' },
  ]);
  expect(names(model.requests.at(-1))).toContain(after);
});

test('each request of one user starts with the same bytes as the previous one', async () => {
  const script = [calls(['berechne', { expression: '1+1' }]), says('2.'), says('Gern.')];
  const { model, visitor } = await start({ script });
  const { conversationId } = await takeTurn(visitor, { message: 'Rechne', headers: german });
  await takeTurn(visitor, { message: 'Danke', conversationId, headers: german });
  const [first, second, third] = model.requests.map(({ system, tools, messages }) => ({
    head: JSON.stringify([system, tools]),
    messages: JSON.stringify(messages).slice(0, -1),
  }));
  expect([second?.head, third?.head]).toEqual([first?.head, first?.head]);
  expect(second?.messages).toContain(first?.messages);
  expect(third?.messages).toContain(second?.messages);
});

test('another tool with the German name keeps it, and ours keeps the English one', async () => {
  const script = [calls(['berechne', { of: 'office' }]), says('Gut.')];
  const { model, visitor } = await start({ script, others: ['berechne'] });
  await takeTurn(visitor, { message: 'Rechne', headers: german });
  expect(tool(model.requests[0], 'calculate')?.description).toMatch(/^Berechnet.*Bogenmaß\.$/);
  expect(tool(model.requests[0], 'berechne')?.description).toBe('Does berechne.');
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    name: 'berechne',
    content: '{"of":"office"}',
  });
});

test('rejects a setting that is not a boolean at its field', async () => {
  const { server } = await start();
  const admin = await signInAdmin(server);
  for (const value of ['de', 1, null, {}]) {
    const json = { translateTools: value };
    const answer = await admin('/api/admin/settings/skills', { method: 'PUT', json });
    const { code, issues } = problemSchema.parse(await answer.json());
    expect([code, issues?.[0]?.path]).toEqual(['invalid-request', 'translateTools']);
  }
});

test('a provider gets the German names, and calls by them run', async () => {
  const bodies: { tools?: { function: { name: string } }[]; messages: unknown[] }[] = [];
  const provider = await startScriptedHttp(({ body }) => {
    bodies.push(body as (typeof bodies)[number]);
    const call = { id: 'callAAAA1', name: 'berechne', arguments: ['{"expression":"6*7"}'] };
    const answer = bodies.length === 1 ? { calls: [call] } : { text: ['42.'] };
    return { chunks: openAiChatWire.answer(answer) };
  });
  onTestFinished(provider.close);
  const config = { id: 'scripted', modelId: 'm', name: 'Mo', provider: 'local', default: true };
  const server = await startTestServer({
    openModel: (model, key) => openModel(model, key, { backOffMs: [] }),
    files: {
      ...withAllTools,
      ...on,
      'models/scripted.json': { ...config, url: provider.origin },
    },
  });
  onTestFinished(server.close);
  const { text } = await takeTurn(server.visitor(), { message: 'Rechne', headers: german });
  expect(text).toBe('42.');
  expect(bodies[0]?.tools?.map((each) => each.function.name)).toContain('berechne');
  expect(JSON.stringify(bodies[1]?.messages)).toContain('6*7 = 42');
});
