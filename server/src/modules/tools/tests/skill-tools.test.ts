import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { afterEach, describe, expect, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
  withAllTools,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { testSource, testTool } from '../../../testing/tool-source.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { Tool } from '../tool.ts';

let server: TestServer;
afterEach(() => server.close());

/** A skill with its own tool. */
function withTool(name: string, tool: Record<string, unknown> | string) {
  const text = skillFile(name, `Does ${name}.`, `Do what ${name} does.`);
  return {
    [`skills/${name}/SKILL.md`]: text.replace(
      /^(description: .*)$/m,
      '$1\nmetadata:\n  tool: assets/tool.json',
    ),
    [`skills/${name}/assets/tool.json`]: typeof tool === 'string' ? tool : JSON.stringify(tool),
  };
}

const described = (name: string, run: unknown, parameters: Record<string, unknown> = {}) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: parameters },
  run,
});

interface Setting {
  files: Record<string, unknown>;
  script: Parameters<typeof scriptedModel>;
  tools?: Tool[];
}

async function start({ files, script, tools = [] }: Setting) {
  const model = scriptedModel(...script);
  server = await startTestServer({
    model: model.ask,
    toolSources: [testSource(tools)],
    files: {
      ...withAllTools,
      ...files,
    } as never,
  });
  return { model, visitor: server.visitor() };
}

const toolsOf = (admin: Visitor) =>
  parseAnswer(adminToolsApi.list.response, admin('/api/admin/tools'));
const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];
const lastResult = (request: ModelRequest | undefined) =>
  String(request?.messages.at(-1)?.content ?? '');

describe('a tool made of calls', () => {
  const review = described(
    'skill_code_review',
    {
      type: 'steps',
      steps: [
        { tool: 'read_file', params: { path: '{{input.file}}' }, output: 'code' },
        { tool: 'analyze', params: { code: '{{steps.code.text}}', note: 'of {{input.file}}' } },
      ],
    },
    { file: { type: 'string' } },
  );
  const readFile = testTool({ name: 'read_file', title: 'Read' }, (input) =>
    JSON.stringify({ text: `content of ${(input as { path: string }).path}` }),
  );

  test('runs them in order, each with earlier results', async () => {
    const analyze = testTool({ name: 'analyze' });
    const { model, visitor } = await start({
      files: withTool('code-review', review),
      tools: [readFile, analyze],
      script: [calls(['skill_code_review', { file: 'a.ts' }]), says('.')],
    });
    const turn = await takeTurn(visitor, { message: 'Review a.ts' });
    expect(names(model.requests[0])).toContain('skill_code_review');
    expect(JSON.parse(lastResult(model.requests[1]))).toEqual({
      success: true,
      steps: [
        { tool: 'read_file', output: { text: 'content of a.ts' } },
        { tool: 'analyze', output: { code: 'content of a.ts', note: 'of a.ts' } },
      ],
      output: { code: 'content of a.ts', note: 'of a.ts' },
    });
    expect(turn.events).toContainEqual(
      expect.objectContaining({ type: 'tool.progress', text: 'Step 2 of 2: analyze' }),
    );
  });

  test('stops at the first failure, and returns the other results', async () => {
    const analyze = testTool({ name: 'analyze' }, () => {
      throw new Error('the disk is full');
    });
    const { model, visitor } = await start({
      files: withTool('code-review', review),
      tools: [readFile, analyze],
      script: [calls(['skill_code_review', { file: 'a.ts' }]), says('.')],
    });
    await takeTurn(visitor, { message: 'Review a.ts' });
    const result = JSON.parse(lastResult(model.requests[1]));
    expect(result).toMatchObject({ success: false, steps: [{ tool: 'read_file' }] });
    expect(result.error).toContain('the disk is full');
  });

  test('takes an unclosed brace literally, without delay', async () => {
    const note = `{{${' '.repeat(100_000)}x [${' '.repeat(400)}`.repeat(2);
    const steps = [{ tool: 'analyze', params: { note, end: `{{input[${' '.repeat(400)}}}` } }];
    const { model, visitor } = await start({
      files: withTool('code-review', described('skill_code_review', { type: 'steps', steps })),
      tools: [testTool({ name: 'analyze' }, () => 'analyzed')],
      script: [calls(['skill_code_review', {}]), says('.')],
    });
    await takeTurn(visitor, { message: 'Review' });
    expect(lastResult(model.requests[1])).toContain('analyzed');
  });

  test('reports a missing tool', async () => {
    const { model, visitor } = await start({
      files: withTool('code-review', review),
      script: [calls(['skill_code_review', { file: 'a.ts' }]), says('.')],
    });
    await takeTurn(visitor, { message: 'Review a.ts' });
    expect(lastResult(model.requests[1])).toContain('There is no tool \\"read_file\\" here.');
  });

  test('requires the consent of the tools it calls', async () => {
    const shy = testTool({ name: 'read_file', title: 'Read', consent: 'ask' }, () => 'secret');
    const { model, visitor } = await start({
      files: withTool('code-review', review),
      tools: [shy],
      script: [calls(['skill_code_review', { file: 'a.ts' }]), says('.')],
    });
    await visitor('/api/auth/me');
    const conversationId = crypto.randomUUID();
    const turn = takeTurn(visitor, { message: 'Review a.ts', conversationId });
    const path = `/api/conversations/${conversationId}/consents/call-0.1`;
    await waitFor(async () => {
      const json = { decision: 'deny' };
      return (await visitor(path, { method: 'POST', json })).ok;
    });
    await turn;
    expect(lastResult(model.requests[1])).toContain('The user did not allow this call');
  });
});

test("approving a skill's tool covers what it does, and whose it is", async () => {
  const order = (host: string) => ({
    type: 'flow',
    steps: [{ type: 'apiCall', config: { url: `https://${host}/`, method: 'POST' } }],
  });
  const digest = async (skill: string, host: string) => {
    await start({ files: withTool(skill, described('flow_order', order(host))), script: [] });
    const { sources } = await toolsOf(await signInAdmin(server));
    await server.close();
    const found = sources.flatMap(({ tools }) => tools).find(({ name }) => name === 'flow_order');
    expect(found).toMatchObject({ id: 'skills/flow_order', consent: 'ask' });
    return found?.digest;
  };
  const known = await digest('orders', 'shop.example');
  expect(await digest('orders', 'shop.example')).toBe(known);
  expect(await digest('orders', 'elsewhere.example')).not.toBe(known);
  expect(await digest('others', 'shop.example')).not.toBe(known);
});

const office = (count: number) => [
  ...Array.from({ length: count }, (_, at) =>
    testTool({ name: `sheet_${at}`, description: `Changes the sheet number ${at}.` }),
  ),
  testTool({ name: 'echo', description: 'Repeats.' }),
];

/** Instructions that list tools in their frontmatter. */
const naming = (name: string, field: string) => ({
  [`skills/${name}/SKILL.md`]: skillFile(name, `Does ${name}.`, 'Do it.').replace(
    /^(description: .*)$/m,
    `$1\n${field}`,
  ),
});

describe('an imported skill with steps', () => {
  const typed = `# Repeat

Repeats a text.

## Parameters

- \`text\` (string, required): The text

## Tools

- office__echo

## Orchestration

\`\`\`yaml
steps:
  - tool: office__echo
    params:
      text: "{{input.text}}"
\`\`\`
`;

  test.each([
    ['few tools', 3],
    ['more than 40 tools', 60],
  ])('offers its own tool once it is active, and its steps run, among %s', async (_, count) => {
    const script = [calls(['skill_repeat', { text: 'Hi' }]), says('Done.')];
    const { model, visitor } = await start({ files: {}, script, tools: office(count) });
    const admin = await signInAdmin(server);
    const zip = createTextZip({ 'repeat.mskill.md': typed });
    expect((await postArchive(admin, 'import', zip, 'application/zip')).ok).toBe(true);
    await takeTurn(visitor, { message: 'Change sheets', skills: ['repeat'] });
    expect(names(model.requests[0])).toContain('skill_repeat');
    expect(JSON.parse(lastResult(model.requests[1]))).toMatchObject({
      ...{ success: true, output: { text: 'Hi' } },
    });
  });
});

describe('among more than 40 tools', () => {
  const steps = [{ tool: 'office__echo', params: { a: 1 } }];

  test('steps call a permitted tool that the model was not offered', async () => {
    const { model, visitor } = await start({
      files: withTool('repeat', described('skill_repeat', { type: 'steps', steps })),
      tools: office(60),
      script: [calls(['skill_repeat', {}]), says('Done.')],
    });
    await takeTurn(visitor, { message: 'Change sheets', skills: ['repeat'] });
    expect(names(model.requests[0])).not.toContain('office__echo');
    expect(JSON.parse(lastResult(model.requests[1]))).toMatchObject({ success: true });
  });

  test('steps do not call a forbidden tool', async () => {
    const { model, visitor } = await start({
      files: {
        ...withTool('repeat', described('skill_repeat', { type: 'steps', steps })),
        'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'], tools: ['skills'] },
      },
      tools: office(60),
      script: [calls(['skill_repeat', {}]), says('Done.')],
    });
    await takeTurn(visitor, { message: 'Change sheets', skills: ['repeat'] });
    expect(lastResult(model.requests[1])).toContain('There is no tool \\"office__echo\\" here.');
  });

  test.each([
    ['requires-tools', 'requires-tools: [office__echo]'],
    ['requires-tools in another spelling', 'requires-tools: [office/echo]'],
    ['allowed-tools', 'allowed-tools: mcp__office__echo'],
  ])('a picked skill gets the tools it lists in %s in its first request', async (_, field) => {
    const { model, visitor } = await start({
      files: naming('speak', field),
      tools: office(60),
      script: [says('Done.')],
    });
    await takeTurn(visitor, { message: 'Change sheets', skills: ['speak'] });
    expect(names(model.requests[0])).toContain('office__echo');
  });

  test('a skill that the model activates gets the tools it lists in the next request', async () => {
    const { model, visitor } = await start({
      files: naming('speak', 'requires-tools: [office__echo]'),
      tools: office(60),
      script: [calls(['activate_skill', { skill_name: 'speak' }]), says('Done.')],
    });
    await takeTurn(visitor, { message: 'Change sheets' });
    expect(names(model.requests[0])).not.toContain('office__echo');
    expect(names(model.requests[1])).toContain('office__echo');
  });

  test('a skill that is picked in a later message gets the tools it lists', async () => {
    const { model, visitor } = await start({
      files: naming('speak', 'requires-tools: [office__echo]'),
      tools: office(60),
      script: [says('One.'), says('Two.')],
    });
    const { conversationId } = await takeTurn(visitor, { message: 'Change sheets' });
    await takeTurn(visitor, { message: 'Change more sheets', conversationId, skills: ['speak'] });
    expect(names(model.requests[1])).toContain('office__echo');
  });
});

describe("an admin tries a skill's tool", () => {
  const tryIt = async (name: string, input: unknown) => {
    const path = `/api/admin/tools/${name}/try`;
    const answer = (await signInAdmin(server))(path, { json: { input } });
    return parseAnswer(adminToolsApi.tryOut.response, answer);
  };

  test('that calls other tools', async () => {
    const steps = [{ tool: 'office__echo', params: { a: 1 } }];
    const files = withTool('repeat', described('skill_repeat', { type: 'steps', steps }));
    await start({ files, tools: office(1), script: [] });
    const { content, isError } = await tryIt('skill_repeat', {});
    expect(isError).toBe(false);
    expect(JSON.parse(content)).toMatchObject({ success: true, output: { a: 1 } });
  });

  test('that calls a model', async () => {
    const files = withTool('summarize', described('skill_summarize', { type: 'prompt' }));
    const { model } = await start({ files, script: [says('Short.')] });
    expect(await tryIt('skill_summarize', {})).toMatchObject({ content: 'Short.', isError: false });
    expect(lastResult(model.requests[0])).toContain('Do what summarize does.');
  });

  test('whose model closes a thinking block that it did not open', async () => {
    const files = withTool('summarize', described('skill_summarize', { type: 'prompt' }));
    await start({
      files,
      script: [[{ type: 'text', text: 'Hmm.' }, { type: 'text-was-thinking' }, ...says('Short.')]],
    });
    expect(await tryIt('skill_summarize', {})).toMatchObject({ content: 'Short.' });
  });
});

test('the temperature and the token limit of a prompt tool reach the model', async () => {
  const run = { type: 'prompt', temperature: 0.3, maxTokens: 200 };
  const { model, visitor } = await start({
    files: withTool('summarize', described('skill_summarize', run)),
    script: [calls(['skill_summarize', {}]), says('Short.'), says('Done.')],
  });
  await takeTurn(visitor, { message: 'Summarize abc' });
  expect(model.requests[1]).toMatchObject({ temperature: 0.3, maxOutputTokens: 200 });
  expect(model.requests[2]?.temperature).not.toBe(0.3);
});

test('the state of skill tools no longer lists a fixed issue', async () => {
  const tool = described('skill_summarize', { type: 'prompt' });
  await start({ files: withTool('summarize', '{'), script: [] });
  const admin = await signInAdmin(server);
  const message = async () => {
    const { sources } = await toolsOf(admin);
    return sources.find(({ id }) => id === 'skills')?.message;
  };
  expect(await message()).toContain('summarize: assets/tool.json');
  const { checksum } = await parseAnswer(
    adminSkillsApi.get.response,
    admin('/api/admin/skills/summarize'),
  );
  const saved = await admin('/api/admin/skills/summarize/files/assets/tool.json', {
    method: 'PUT',
    body: JSON.stringify(tool),
    headers: { 'If-Match': `"${checksum}"`, 'Content-Type': 'application/octet-stream' },
  });
  expect(saved.ok).toBe(true);
  expect(await message()).toBeUndefined();
});

describe('a prompt tool', () => {
  test("returns the model's answer to the skill's instructions and arguments", async () => {
    const { model, visitor } = await start({
      files: withTool('summarize', described('skill_summarize', { type: 'prompt' })),
      script: [calls(['skill_summarize', { text: 'abc' }]), says('Short.'), says('Done.')],
    });
    await takeTurn(visitor, { message: 'Summarize abc' });
    const [, asked, next] = model.requests;
    expect(lastResult(asked)).toContain('Do what summarize does.');
    expect(lastResult(asked)).toContain('"text": "abc"');
    expect(lastResult(next)).toBe('Short.');
  });
});

test('reports errors to the model, which continues: missing tool, invalid arguments, failing model', async () => {
  const text = { text: { type: 'string' } };
  const { model, visitor } = await start({
    files: withTool('summarize', described('skill_summarize', { type: 'prompt' }, text)),
    script: [
      calls(['skill_nothing', {}]),
      calls(['skill_summarize', { text: { deep: true } }]),
      calls(['skill_summarize', { text: 'abc' }]),
      [new Error('The provider is away.')],
      says('Done without.'),
    ],
  });
  const turn = await takeTurn(visitor, { message: 'Summarize abc' });
  expect(turn.text).toBe('Done without.');
  const [, unknown, unfit, , failed] = model.requests;
  expect(lastResult(unknown)).toMatch(/skill_nothing/);
  expect(lastResult(unfit)).toMatch(/\/text.*string/);
  expect(lastResult(failed)).toMatch(/fail|model/i);
  const ends = turn.events.flatMap((event) => (event.type === 'tool.call.end' ? [event] : []));
  expect(ends.map(({ error }) => error)).toEqual([true, true, true]);
});

describe("a skill's tool is missing", () => {
  const tool = described('skill_summarize', { type: 'prompt' });
  const ask = async (files: Record<string, unknown>) => {
    const { model, visitor } = await start({ files, script: [says('.')] });
    await takeTurn(visitor, { message: 'Hello' });
    return names(model.requests[0]);
  };

  test.each<[string, Record<string, unknown>]>([
    ['its skill is off', { 'config/skills.json': { skills: { summarize: { enabled: false } } } }],
    ['its app lacks the skill', { 'apps/chat.json': { id: 'chat', name: 'Chat', tools: ['*'] } }],
    ['its app lacks tools', { 'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] } }],
    ['its file is not JSON', withTool('summarize', '{')],
    ['its file names no tool', withTool('summarize', { ...tool, name: 'a b' })],
    [
      'it is code and there is no runner',
      withTool('summarize', { ...tool, run: { type: 'plugin', handler: 'h', settings: [] } }),
    ],
  ])('where %s', async (_, files) => {
    expect(await ask({ ...withTool('summarize', tool), ...files })).not.toContain(tool.name);
  });

  test.each(['calculate', 'fetch_page', 'office', 'builtin'])(
    'where a grant for %s is meant for another one',
    async (name) => {
      const app = { id: 'chat', name: 'Chat', skills: ['*'], tools: [name] };
      const files = { ...withTool('summarize', { ...tool, name }), 'apps/chat.json': app };
      const offered = (await ask(files)).filter((each) => each.startsWith(name));
      expect(offered).toEqual(offered.filter((each) => each === name));
      expect(offered.length).toBe(name === 'office' || name === 'builtin' ? 0 : 1);
    },
  );

  test('if its parameters are nested too deeply, and an admin sees why', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const text = JSON.stringify({ ...tool, parameters: 0 }).replace(
      '"parameters":0',
      `"parameters":${deep}`,
    );
    expect(await ask(withTool('summarize', text))).not.toContain(tool.name);
    const { sources } = await toolsOf(await signInAdmin(server));
    expect(sources.find(({ id }) => id === 'skills')?.message).toContain('levels deep');
  });

  test('but not if everything is valid', async () => {
    expect(await ask(withTool('summarize', tool))).toContain(tool.name);
  });
});
