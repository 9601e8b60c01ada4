import { auditEntrySchema } from '@knowhow/shared/config/admin';
import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { toolsApi } from '@knowhow/shared/config/tools';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import {
  calls,
  type Step,
  says,
  scriptedModel,
  untilAborted,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readConversation, startOf, takeTurn } from '../../../testing/take-turn.ts';
import { testSource, testTool } from '../../../testing/tool-source.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';
import { publicCallId } from '../public-call-id.ts';
import type { Tool } from '../tool.ts';

let server: TestServer;
afterEach(() => server.close());

const allTools = {
  groups: {
    anonymous: {
      id: 'anonymous',
      name: 'Anonymous',
      permissions: { apps: ['*'], models: ['*'], skills: ['*'], tools: ['*'] },
    },
    admins: {
      id: 'admins',
      name: 'Admins',
      permissions: { apps: ['*'], models: ['*'], tools: ['*'], adminAccess: true },
    },
  },
};

const app = (tools?: string[]) => ({
  id: 'chat',
  name: 'Chat',
  skills: ['*'],
  ...(tools ? { tools } : {}),
});

interface Setting {
  tools: Tool[];
  script: Parameters<typeof scriptedModel>;
  grants?: string[];
  offers?: string[];
  config?: unknown;
  platform?: unknown;
}

async function start({ tools, script, grants = ['*'], offers = ['*'], config, platform }: Setting) {
  const model = scriptedModel(...script);
  const groups = structuredClone(allTools);
  groups.groups.anonymous.permissions.tools = grants;
  server = await startTestServer({
    model: model.ask,
    toolSources: [testSource(tools)],
    files: {
      'config/groups.json': groups,
      'apps/chat.json': app(offers),
      ...(config ? { 'config/tools.json': config } : {}),
      ...(platform ? { 'config/platform.json': platform } : {}),
    },
  });
  const visitor = server.visitor();
  // From here on it has its cookie, also for parallel calls.
  await visitor('/api/auth/me');
  return { model, visitor };
}

const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];
const lastResult = (request: ModelRequest | undefined) => request?.messages.at(-1)?.content;

const weather = testTool(
  {
    name: 'weather',
    title: 'Weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
  (input) => `Sunny in ${(input as { city: string }).city}.`,
);

test("a source's tool is offered, called, and shown with its title, source and duration", async () => {
  const script = [calls(['office__weather', { city: 'Bern' }]), says('It is sunny.')];
  const { model, visitor } = await start({ tools: [weather], script });
  const turn = await takeTurn(visitor, { message: 'How is it in Bern?' });
  expect(model.requests[0]?.tools).toContainEqual({
    name: 'office__weather',
    description: 'Does weather.',
    parameters: weather.parameters,
  });
  expect(lastResult(model.requests[1])).toBe('Sunny in Bern.');
  expect(turn.events).toContainEqual({
    type: 'tool.call.start',
    ...{ id: 'call-0', round: 0, name: 'office__weather', input: { city: 'Bern' } },
    ...{ title: 'Weather', source: 'Office' },
  });
  const { messages } = await readConversation(visitor, turn.conversationId);
  const kept = messages[1]?.role === 'assistant' ? messages[1].toolCalls : [];
  expect(kept).toMatchObject([{ title: 'Weather', source: 'Office', ms: expect.any(Number) }]);
  const path = `/api/messages/${startOf(turn).messageId}/calls/0`;
  expect(await parseAnswer(toolsApi.result.response, visitor(path))).toMatchObject({
    content: 'Sunny in Bern.',
    isError: false,
  });
  expect((await server.visitor()(path)).status).toBe(404);
});

test.each([
  ['no group grants it', { grants: [] }],
  ['another tool is granted', { grants: ['office/other'] }],
  ['the app does not list it', { offers: [] }],
  ['the app lists only another', { offers: ['other', 'office/other'] }],
  ['an admin has disabled it', { config: { tools: { 'office/weather': { enabled: false } } } }],
  ['its source is disabled', { config: { sources: { office: { enabled: false } } } }],
])('where %s, a tool is treated as missing', async (_name, setting) => {
  const script = [
    calls(['office__weather', { city: 'Bern' }]),
    calls(['office__none', {}]),
    says('.'),
  ];
  const { model, visitor } = await start({ tools: [weather], script, ...setting });
  const turn = await takeTurn(visitor, { message: 'Hello' });
  expect(names(model.requests[0])).not.toContain('office__weather');
  const [real, invented] = model.requests.slice(1).map(lastResult);
  expect(real?.replaceAll('weather', 'none')).toBe(invented);
  expect(JSON.stringify(turn.events)).not.toContain('Office');
});

test.each([
  ['the source', ['office'], ['office']],
  ['the tool', ['office/weather'], ['office/weather']],
  ['all', ['*'], ['*']],
])('is granted and offered by %s', async (_name, grants, offers) => {
  const { model, visitor } = await start({ tools: [weather], script: [says('.')], grants, offers });
  await takeTurn(visitor, { message: 'Hello' });
  expect(names(model.requests[0])).toContain('office__weather');
});

test('invalid arguments never reach a tool, and the model is told why', async () => {
  let ran = false;
  const tool = {
    ...weather,
    run: async () => {
      ran = true;
      return { content: '', isError: false, summary: '' };
    },
  };
  const script = [calls(['office__weather', { town: 1 }]), says('.')];
  const { model, visitor } = await start({ tools: [tool], script });
  const { events } = await takeTurn(visitor, { message: 'Hello' });
  expect(lastResult(model.requests[1])).toContain("must have required property 'city'");
  expect(ran).toBe(false);
  expect(events).toContainEqual(
    expect.objectContaining({ error: true, summary: 'wrong arguments' }),
  );
});

test('a tool that throws returns an error result, and the turn continues', async () => {
  const broken = testTool({ name: 'broken' }, () => {
    throw new Error('The printer is on fire.');
  });
  const { model, visitor } = await start({
    tools: [broken],
    script: [calls(['office__broken', {}]), says('Sorry.')],
  });
  const { text } = await takeTurn(visitor, { message: 'Print' });
  expect(lastResult(model.requests[1])).toBe('office__broken failed: The printer is on fire.');
  expect(text).toBe('Sorry.');
});

test('a lost permission removes the tool in the next round', async () => {
  const lose = testTool({ name: 'lose' }, async () => {
    await saveGroups([]);
    return 'Lost.';
  });
  const script = [calls(['office__lose', {}]), calls(['office__lose', { again: 1 }]), says('.')];
  const { model, visitor } = await start({ tools: [lose], script });
  const saveGroups = async (tools: string[]) => {
    const admin = await signInAdmin(server);
    const group = {
      ...allTools.groups.anonymous,
      permissions: { ...allTools.groups.anonymous.permissions, tools },
    };
    expect(
      (await admin('/api/admin/groups/anonymous', { method: 'PUT', json: group })).status,
    ).toBe(200);
  };
  await takeTurn(visitor, { message: 'Hello' });
  expect(names(model.requests[1])).not.toContain('office__lose');
  expect(lastResult(model.requests[2])).toContain('There is no tool "office__lose"');
});

test('calls are in the audit log, without arguments and results', async () => {
  const script = [calls(['office__weather', { city: 'Bern' }]), says('.')];
  const { visitor } = await start({ tools: [weather], script });
  await takeTurn(visitor, { message: 'Hello' });
  const admin = await signInAdmin(server);
  const { items } = await parseAnswer(
    z.object({ items: z.array(auditEntrySchema) }),
    admin('/api/admin/audit?kind=tool'),
  );
  expect(items).toMatchObject([
    {
      action: 'called',
      target: 'office/weather',
      userName: 'Guest',
      after: {
        outcome: 'ok',
        arguments: expect.stringMatching(/^[0-9a-f]{64}$/),
        ms: expect.any(Number),
      },
    },
  ]);
  expect(JSON.stringify(items)).not.toMatch(/Bern|Sunny/);
});

test('stopping ends a call and the answer, and tells the user and the model', async () => {
  let isCalled = false;
  let aborted = false;
  const slow = testTool({ name: 'slow' }, async (_input, { signal }) => {
    isCalled = true;
    await untilAborted(signal).catch(() => {
      aborted = true;
    });
    return '';
  });
  const { model, visitor } = await start({
    tools: [slow],
    script: [calls(['office__slow', {}]), says('.')],
  });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Hello', conversationId });
  await waitFor(() => isCalled);
  await waitFor(async () => {
    const stopped = await visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    return stopped.ok && ((await stopped.json()) as { stopped: boolean }).stopped;
  });
  const { events } = await turn;
  expect(events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
  expect(aborted).toBe(true);
  const stopped = { name: 'office__slow', error: true, summary: 'stopped' };
  expect(events.at(-2)).toMatchObject({ type: 'tool.call.end', ...stopped });
  const { messages } = await readConversation(visitor, conversationId);
  expect(messages.at(-1)).toMatchObject({ status: 'stopped', toolCalls: [stopped] });
  await takeTurn(visitor, { message: 'And?', conversationId });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('This call was stopped');
});

/** Responds as soon as the call waits. */
async function whenAsked(visitor: Visitor, path: string, json: unknown): Promise<void> {
  await waitFor(async () => (await visitor(path, { json })).ok);
}

const pay = testTool({ name: 'pay', title: 'Pay', consent: 'ask' }, () => 'Paid.');
const payTwice = [
  calls(['office__pay', { to: 'Ann' }]),
  calls(['office__pay', { to: 'Ben' }]),
  says('.'),
];
const asked = (events: { type: string }[]) =>
  events.filter(({ type }) => type === 'tool.consent').length;

test('a tool that requires consent waits for it, and shows what it is about to do', async () => {
  const { model, visitor } = await start({ tools: [pay], script: payTwice });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Pay', conversationId });
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await whenAsked(visitor, path, { decision: 'conversation' });
  const { events } = await turn;
  expect(events).toContainEqual({
    type: 'tool.consent',
    ...{ id: 'call-0', name: 'office__pay', title: 'Pay', source: 'Office' },
    ...{ input: { to: 'Ann' }, isDestructive: false, expiresAt: expect.stringMatching(/Z$/) },
  });
  expect(asked(events)).toBe(1);
  expect(lastResult(model.requests[2])).toBe('Paid.');
  expect((await visitor(path, { json: { decision: 'once' } })).status).toBe(404);
});

test("a call's result can be read while the next one waits", async () => {
  const script = [
    calls(['office__weather', { city: 'Bern' }]),
    calls(['office__pay', {}]),
    says('.'),
  ];
  const { visitor } = await start({ tools: [weather, pay], script });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Pay', conversationId });
  await waitFor(async () => {
    if (!(await visitor(`/api/conversations/${conversationId}`)).ok) {
      return false;
    }
    const { messages } = await readConversation(visitor, conversationId);
    return (await visitor(`/api/messages/${messages[1]?.id}/calls/0`)).ok;
  });
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await whenAsked(visitor, path, { decision: 'deny' });
  await turn;
});

test('while waiting for a user, a turn does not time out', async () => {
  const platform = { turns: { idleMinutes: 0.01 } };
  const script = [calls(['office__pay', {}]), says('Done.')];
  const { visitor } = await start({ tools: [pay], script, platform });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Pay', conversationId });
  // Longer than the limit, which is checked once a second.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await whenAsked(visitor, path, { decision: 'once' });
  expect((await turn).text).toBe('Done.');
});

test('consent for once is requested again, and a denied call does not run', async () => {
  const { model, visitor } = await start({ tools: [pay], script: payTwice });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Pay', conversationId });
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await whenAsked(visitor, path, { decision: 'once' });
  await waitFor(() => model.requests.length === 2);
  expect((await server.visitor()(path, { json: { decision: 'always' } })).status).toBe(404);
  await whenAsked(visitor, path, { decision: 'deny' });
  const { events } = await turn;
  expect(asked(events)).toBe(2);
  expect(lastResult(model.requests[1])).toBe('Paid.');
  expect(lastResult(model.requests[2])).toContain('The user did not allow this call');
  expect(events).toContainEqual(expect.objectContaining({ summary: 'not allowed' }));
});

test('a tool that is always allowed needs no consent, until that is revoked', async () => {
  await start({
    tools: [pay],
    script: [calls(['office__pay', {}]), says('.'), calls(['office__pay', {}]), says('.')],
  });
  const admin = await signInAdmin(server);
  const first = crypto.randomUUID();
  const turn = takeTurn(admin, { message: 'Pay', conversationId: first });
  await whenAsked(admin, `/api/conversations/${first}/consents/call-0`, { decision: 'always' });
  await turn;
  const { events } = await takeTurn(admin, { message: 'Pay' });
  expect(asked(events)).toBe(0);
  const list = () => parseAnswer(toolsApi.consents.response, admin('/api/account/consents'));
  const { items } = await list();
  expect(items).toMatchObject([{ tool: 'office/pay', title: 'Pay', source: 'Office' }]);
  expect((await admin(`/api/account/consents/${items[0]?.id}`, { method: 'DELETE' })).ok).toBe(
    true,
  );
  expect((await list()).items).toEqual([]);
});

test("a tool's question is put to its user, and the call continues with the answer", async () => {
  const ask = testTool({ name: 'ask' }, async (_input, call) => {
    call.progress('Looking around');
    const answer = await call.ask({
      message: 'Which size?',
      fields: [{ name: 'size', label: 'Size', type: 'integer', required: true }],
    });
    return JSON.stringify(answer);
  });
  const { model, visitor } = await start({
    tools: [ask],
    script: [calls(['office__ask', {}]), says('.')],
  });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Ask', conversationId });
  const path = `/api/conversations/${conversationId}/questions/${encodeURIComponent('call-0 1')}`;
  await whenAsked(visitor, path, { action: 'accept', values: { size: 4 } });
  const { events } = await turn;
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['tool.progress', 'tool.question', 'tool.answered']),
  );
  expect(lastResult(model.requests[1])).toBe('{"action":"accept","values":{"size":4}}');
});

test('a tool that asks endlessly gets no answer beyond a maximum', async () => {
  const asking = testTool({ name: 'pester' }, async (_, { ask }) => {
    const question = { message: 'Sure?', fields: [] };
    const asked = Array.from({ length: 1000 }, () => ask(question));
    const last = await asked.at(-1);
    for (const each of asked) {
      each.catch(() => undefined);
    }
    return last?.action ?? '';
  });
  const { model, visitor } = await start({
    tools: [asking],
    script: [calls(['office__pester', {}]), says('.')],
  });
  const { events } = await takeTurn(visitor, { message: 'Go' });
  expect(lastResult(model.requests[1])).toBe('cancel');
  expect(events.filter(({ type }) => type === 'tool.question').length).toBeLessThanOrEqual(20);
});

test("an admin approves a tool's current version, which needs no consent until it changes", async () => {
  const tools = [pay];
  const { visitor } = await start({
    tools,
    script: [calls(['office__pay', {}]), says('.'), calls(['office__pay', {}]), says('.')],
  });
  const admin = await signInAdmin(server);
  const list = async () => {
    const { sources } = await parseAnswer(adminToolsApi.list.response, admin('/api/admin/tools'));
    return sources.find(({ id }) => id === 'office')?.tools[0];
  };
  const put = (json: unknown) => admin('/api/admin/tools/office__pay', { method: 'PUT', json });
  const before = await list();
  expect(before).toMatchObject({
    id: 'office/pay',
    consent: 'ask',
    approved: false,
    groups: ['anonymous', 'admins'],
    apps: ['chat'],
  });
  expect((await put({ consent: 'never' })).status).toBe(200);
  expect(await list()).toMatchObject({ consent: 'never', sourceConsent: 'ask' });
  await put({ consent: null });
  expect((await put({ approved: 'of another one' })).status).toBe(412);
  expect((await put({ approved: before?.digest })).status).toBe(200);
  expect(asked((await takeTurn(visitor, { message: 'Pay' })).events)).toBe(0);
  tools[0] = { ...pay, description: 'Pays twice.' };
  expect(await list()).toMatchObject({ approved: false });
});

test.each([
  ['a tool that asks', testTool({ name: 'pay', consent: 'ask' }, () => 'Paid.')],
  [
    'one that asks for each action',
    testTool(
      {
        ...{ name: 'pay', consent: 'ask' },
        consentFor: async () => ({ id: 'pay/rent', digest: 'a', isApproved: false }),
      },
      (_input, { consented }) => `Paid ${consented}.`,
    ),
  ],
])('an admin tries %s without consent', async (_which, tool) => {
  await start({ tools: [tool], script: [] });
  const tried = (await signInAdmin(server))('/api/admin/tools/office__pay/try', {
    json: { input: {} },
  });
  expect(await parseAnswer(adminToolsApi.tryOut.response, tried)).toMatchObject({
    content: expect.stringMatching(/^Paid( a)?\.$/),
    isError: false,
  });
});

test.each(['x'.repeat(400), 'a/ü ?#\ud800', ''])(
  'a call with the ID %j can be allowed like any other',
  async (id) => {
    const pay = testTool({ name: 'pay', consent: 'ask' }, () => 'Paid.');
    const call = { id, name: 'office__pay', input: {} };
    const script: Step[] = [
      [
        { type: 'tool-call', call },
        { type: 'stop', reason: 'tool-calls' },
      ],
      says('.'),
    ];
    const { model, visitor } = await start({ tools: [pay], script });
    const conversationId = crypto.randomUUID();
    const shown = publicCallId(id);
    const turn = takeTurn(visitor, { message: 'Pay', conversationId });
    const path = `/api/conversations/${conversationId}/consents/${encodeURIComponent(shown)}`;
    await whenAsked(visitor, path, { decision: 'once' });
    const { events } = await turn;
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.consent', id: shown }));
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ callId: id, content: 'Paid.' });
  },
);

test('with 500 tools the list stays within its budget, and the rest can be searched', async () => {
  const tools = Array.from({ length: 500 }, (_, at) =>
    testTool({
      name: `tool_${at}`,
      description:
        at === 321
          ? 'Translates invoices into Klingon.'
          : `Handles case ${at} of the archive, with all its papers.`,
    }),
  );
  const script = [
    calls(['search_tools', { query: 'klingon invoice' }]),
    calls(['office__tool_321', {}]),
    says('.'),
  ];
  const { model, visitor } = await start({ tools, script });
  const turn = await takeTurn(visitor, { message: 'Handle case 77 of the archive' });
  const [first, second] = model.requests.map((request) => request.tools);
  expect(first?.length).toBeLessThanOrEqual(45);
  expect(JSON.stringify(first).length / 3).toBeLessThan(32_000 * 0.06);
  expect(names(model.requests[0])).toContain('office__tool_77');
  expect(names(model.requests[0])).not.toContain('office__tool_321');
  expect(second?.map(({ name }) => name)).toContain('office__tool_321');
  expect(model.requests[2]?.messages.at(-1)).toMatchObject({ isError: false });
  await takeTurn(visitor, { message: 'And now?', conversationId: turn.conversationId });
  expect(names(model.requests[3])).toEqual(names(model.requests[2]));
});

test('names that collide, are too long or contain symbols are still valid for every vendor', async () => {
  const tools = ['a.b', 'a b', '🦄', 'x'.repeat(300), 'plain'].map((name) => testTool({ name }));
  const { model, visitor } = await start({ tools, script: [says('.')] });
  await takeTurn(visitor, { message: 'Hello' });
  const offered = names(model.requests[0]).filter((name) => name.startsWith('office__'));
  expect(new Set(offered).size).toBe(5);
  expect(offered).toContain('office__plain');
  for (const name of offered) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  }
});

test('the model asks its user by ask_user, and gets the choice', async () => {
  const question = { question: 'Which size?', choices: ['S', 'M', 'M'] };
  const script = [calls(['ask_user', question]), says('.')];
  const { model, visitor } = await start({ tools: [], script, offers: ['ask_user'] });
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Order', conversationId });
  const path = `/api/conversations/${conversationId}/questions/${encodeURIComponent('call-0 1')}`;
  await whenAsked(visitor, path, { action: 'accept', values: { answer: 'M' } });
  const { events } = await turn;
  const options = ['S', 'M'].map((choice) => ({ value: choice, label: choice }));
  expect(events).toContainEqual(
    expect.objectContaining({
      message: 'Which size?',
      fields: [expect.objectContaining({ type: 'choice', options, required: true })],
    }),
  );
  expect(lastResult(model.requests[1])).toBe('The user answered: M');
  expect(names(model.requests[0])).not.toContain('calculate');
});

test('a built-in tool has the key of its texts, a tool of a server with the same title has none', async () => {
  const tools = [testTool({ name: 'calculate', title: 'Calculator' })];
  const script = [
    calls(['calculate', { expression: '1+1' }], ['office__calculate', {}]),
    says('Done.'),
  ];
  const { visitor } = await start({ tools, script });
  const { events } = await takeTurn(visitor, { message: 'Hello' });
  const [own, other] = events.filter(({ type }) => type === 'tool.call.start');
  expect(own).toMatchObject({ title: 'Calculator', source: 'Knowhow', toolKey: 'calculate' });
  expect(other).toMatchObject({ title: 'Calculator', source: 'Office' });
  expect(other).not.toHaveProperty('toolKey');
});
