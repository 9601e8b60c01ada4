import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import {
  type ArchiveReport,
  archiveReportSchema,
  installedSchema,
  type SkillReport,
} from '@knowhow/shared/skills/skill-archives';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentFlow, createTextZip, handlerPlugin } from '../../../testing/foreign-skills.ts';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { postArchive } from '../../../testing/upload-archive.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

type Texts = Record<string, string>;

const validate = async (texts: Texts): Promise<ArchiveReport> =>
  parseAnswer(
    archiveReportSchema,
    await postArchive(admin, 'validate', createTextZip(texts), 'application/zip'),
  );
const install = async (texts: Texts, query = '') => {
  const response = await postArchive(
    admin,
    `import${query}`,
    createTextZip(texts),
    'application/zip',
  );
  return (await parseAnswer(installedSchema, response)).installed;
};
/** A form with one named file, as a browser sends it. */
const sendFile = async (name: string, text: string) => {
  const form = new FormData();
  form.append('file', new Blob([text]), name);
  const bytes = await new Response(form).arrayBuffer();
  const type = new Response(form).headers.get('content-type') ?? '';
  const boundary = /^--([^\r]+)/.exec(Buffer.from(bytes).toString())?.[1] ?? '';
  const response = await postArchive(
    admin,
    'validate',
    Buffer.from(bytes),
    type.replace(/boundary=.*/, `boundary=${boundary}`),
  );
  return parseAnswer(archiveReportSchema, response);
};
const onDisk = (path: string) => readFile(join(server.folder, 'contents/skills', path), 'utf8');
const codesOf = ({ diagnostics }: SkillReport) => diagnostics.map(({ code }) => code);
const only = ({ skills }: ArchiveReport): SkillReport => {
  expect(skills).toHaveLength(1);
  return skills[0] as SkillReport;
};

describe('an AnythingLLM plugin', () => {
  test('becomes a skill that is off, with its tool, and its files byte for byte', async () => {
    const plugin = handlerPlugin('letter-counter');
    const report = only(await validate(plugin));
    expect(report).toMatchObject({
      name: 'letter-counter',
      description: 'Counts the letters of a text.',
      accepted: true,
      origin: {
        kind: 'anythingllm-plugin',
        name: 'letter-counter',
        tool: 'letter-counter',
        off: true,
        left: expect.arrayContaining([{ what: 'icon', why: 'no-effect' }]),
      },
    });
    expect(await install(plugin)).toMatchObject([
      { name: 'letter-counter', action: 'created', off: true },
    ]);
    for (const [path, text] of Object.entries(plugin)) {
      const name = path.slice('letter-counter/'.length);
      expect(await onDisk(`letter-counter/assets/original/${name}`)).toBe(text);
    }
    const text = await onDisk('letter-counter/SKILL.md');
    expect(text).toContain('tool: assets/tool.json');
    expect(text).toContain('How long is "abc"?');
    expect(text).toContain('It counts them.');
    expect(JSON.parse(await onDisk('letter-counter/assets/tool.json'))).toMatchObject({
      name: 'letter-counter',
      parameters: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', description: 'What to count' } },
        additionalProperties: false,
      },
      run: {
        type: 'plugin',
        handler: 'assets/original/handler.js',
        settings: [{ name: 'API_KEY', secret: true, required: true, hint: 'Your key' }],
      },
    });
    const skill = await (await admin('/api/admin/skills/letter-counter')).json();
    expect(skill).toMatchObject({ status: 'off' });
  });

  test("keeps an admin's decisions when it replaces an existing skill", async () => {
    const plugin = handlerPlugin('letter-counter');
    await install(plugin);
    const json = { action: 'switch', names: ['letter-counter'], enabled: true };
    await admin('/api/admin/skills/bulk', { method: 'POST', json });
    await install(handlerPlugin('letter-counter', { version: '1.3.0' }), '?overwrite=true');
    const skill = await (await admin('/api/admin/skills/letter-counter')).json();
    expect(skill).toMatchObject({ status: 'on' });
  });

  const broken: [string, (texts: Texts) => Texts, string, boolean][] = [
    [
      'a missing plugin.json',
      ({ 'p/plugin.json': _, ...others }) => others,
      'plugin-json-missing',
      false,
    ],
    [
      'a missing comma',
      (texts) => ({
        ...texts,
        'p/plugin.json': (texts['p/plugin.json'] ?? '').replace(
          '"active": true,',
          '"active": true',
        ),
      }),
      'plugin-json-invalid',
      false,
    ],
    [
      'active that is not true',
      () => handlerPlugin('p', { active: false }),
      'plugin-inactive',
      true,
    ],
    [
      'a missing handler',
      ({ 'p/handler.js': _, ...others }) => others,
      'plugin-handler-missing',
      true,
    ],
    [
      'a handler that exports nothing',
      (texts) => ({ ...texts, 'p/handler.js': 'console.log(1);\n' }),
      'plugin-handler-export',
      true,
    ],
    [
      'a hubId that differs from the folder name',
      () => handlerPlugin('p', { hubId: 'other' }),
      'plugin-hub-id-mismatch',
      true,
    ],
    [
      'a missing entrypoint',
      () => handlerPlugin('p', { entrypoint: undefined }),
      'plugin-entrypoint-missing',
      true,
    ],
    [
      'values in its settings',
      () => handlerPlugin('p', { setup_args: { KEY: { value: 'abc' } } }),
      'plugin-holds-values',
      true,
    ],
    [
      'a manifest of a megabyte',
      () => handlerPlugin('p', { description: 'x'.repeat(1_000_000) }),
      'source-too-large',
      false,
    ],
  ];
  test.each(broken)(
    'with %s reports it, and hides no other plugin',
    async (_, change, code, accepted) => {
      const texts = { ...change(handlerPlugin('p')), ...handlerPlugin('fine') };
      const { skills } = await validate(texts);
      expect(skills.map(({ name }) => name)).toContain('fine');
      const [fine, other] = skills.toSorted((one) => (one.name === 'fine' ? -1 : 1));
      expect(fine).toMatchObject({ accepted: true });
      expect(other && codesOf(other)).toContain(code);
      expect(other?.accepted).toBe(accepted);
      expect(await install(texts, '?select=fine')).toMatchObject([{ name: 'fine' }]);
    },
  );

  test('can be imported in one archive with another plugin, a skill, and other files', async () => {
    const texts = {
      ...handlerPlugin('plugins/one'),
      ...handlerPlugin('plugins/two'),
      'skills/notes/SKILL.md': skillFile('notes', 'Takes notes.'),
      'docs/about.md': '# About',
    };
    const { skills, leftOut } = await validate(texts);
    expect(skills.map(({ name }) => name).sort()).toEqual(['notes', 'one', 'two']);
    expect(leftOut).toEqual([{ path: 'docs/', files: 1, why: 'no-skill' }]);
  });
});

describe('an AnythingLLM flow', () => {
  const call = { type: 'apiCall', config: { url: 'https://example.org/${city}', method: 'GET' } };

  test('is a skill with a tool, also as a single file', async () => {
    const text = agentFlow([call]);
    const file = '9f1f9a0e-8f4e-4b3a-9a53-2a2f6d1c1a10.json';
    const report = only(await sendFile(file, text));
    expect(report).toMatchObject({
      name: 'weather-report',
      accepted: true,
      origin: { kind: 'agent-flow', tool: 'flow_weather_report', off: false },
    });
    expect(await install({ [`agent-flows/${file}`]: text })).toMatchObject([
      { name: 'weather-report', action: 'created' },
    ]);
    expect(await onDisk(`weather-report/assets/original/${file}`)).toBe(text);
    expect(JSON.parse(await onDisk('weather-report/assets/tool.json'))).toMatchObject({
      name: 'flow_weather_report',
      parameters: { properties: { city: { type: 'string', default: 'Bern' } } },
      run: { type: 'flow', steps: [{ type: 'start' }, call] },
    });
  });

  test.each([
    ['10,000 steps', Array.from({ length: 10_000 }, () => call), 'flow-too-long'],
    ['a step of an unknown type', [{ type: 'loop', config: {} }], 'flow-step-unknown'],
    ['a step without a URL', [{ type: 'apiCall', config: {} }], 'flow-invalid'],
    ['no steps', [], 'flow-invalid'],
  ])('with %s is rejected', async (_, steps, code) => {
    const report = only(await validate({ 'a.json': agentFlow(steps) }));
    expect(report.accepted).toBe(false);
    expect(codesOf(report)).toContain(code);
  });

  test('that is inactive is imported switched off', async () => {
    const text = agentFlow([call], { active: false });
    expect(await install({ 'a.json': text })).toMatchObject([{ off: true }]);
  });
});

describe('a typed skill of Achilles', () => {
  const summarize = `# summarize

Summarizes text content into a concise format.

## System Prompt

You summarize text.

## Parameters

- \`text\` (string, required): The text to summarize
- \`maxLength\` (number, optional): Maximum length in words

## Config

\`\`\`json
{ "model": "claude-3-opus", "temperature": 0.3 }
\`\`\`

## Examples

### Short
Input: a
`;
  const review = `# code_review

Reviews code using multiple MCP tools.

## Tools

- read_file
- analyze_code

## Orchestration

\`\`\`yaml
steps:
  - tool: read_file
    params:
      path: "{{input.file}}"
    output: code
  - tool: analyze_code
    params:
      code: "{{steps.code}}"
\`\`\`
`;

  test.each(['zskill', 'superskill'])(
    'of the unknown type %s becomes a plain skill, and its page says so',
    async (kind) => {
      const files = { [`mine.${kind}.md`]: summarize };
      expect(await install(files)).toMatchObject([{ name: 'mine' }]);
      expect(await onDisk('mine/SKILL.md')).toContain('skill-type: skill');
    },
  );

  test('becomes a skill with prompt, parameters and examples; the model is only a recommendation', async () => {
    const path = '.AchillesSkills/summarize.skill.md';
    expect(await install({ [path]: summarize })).toMatchObject([{ name: 'summarize' }]);
    const text = await onDisk('summarize/SKILL.md');
    expect(text).toContain('You summarize text.');
    expect(text).toContain('### Short');
    expect(text).toContain('advisory-model: claude-3-opus');
    expect(text).toContain('skill-type: skill');
    expect(text).not.toContain('0.3');
    expect(JSON.parse(await onDisk('summarize/assets/tool.json')).run).toEqual({
      ...{ type: 'prompt', temperature: 0.3 },
    });
    expect(await onDisk('summarize/assets/original/summarize.skill.md')).toBe(summarize);
    expect(JSON.parse(await onDisk('summarize/assets/tool.json'))).toMatchObject({
      name: 'skill_summarize',
      parameters: {
        required: ['text'],
        properties: { text: { type: 'string' }, maxLength: { type: 'number' } },
      },
      run: { type: 'prompt' },
    });
  });

  test('with an orchestration provides a tool with its steps', async () => {
    await install({ 'code_review.mskill.md': review });
    expect(JSON.parse(await onDisk('code-review/assets/tool.json'))).toMatchObject({
      name: 'skill_code_review',
      run: {
        type: 'steps',
        steps: [
          { tool: 'read_file', params: { path: '{{input.file}}' }, output: 'code' },
          { tool: 'analyze_code', params: { code: '{{steps.code}}' } },
        ],
      },
    });
    expect(await onDisk('code-review/SKILL.md')).toContain('allowed-tools: read_file analyze_code');
  });

  test.each(['cskill', 'cgskill', 'dcgskill', 'iskill', 'mskill', 'oskill', 'tskill', 'skill'])(
    'is recognised as %s in its own folder',
    async (kind) => {
      const text = '# Deploy\n\nDeploys it.\n\n## Allowed Skills\n- `build`\n\n## Prompt\nGo.\n';
      const report = only(await validate({ [`a/deploy/${kind}.md`]: text }));
      expect(report).toMatchObject({
        name: 'deploy',
        description: 'Deploys it.',
        accepted: true,
        origin: { kind: 'typed-skill', name: `${kind} deploy` },
      });
    },
  );

  test('with code becomes a script, with all files of its folder unchanged', async () => {
    const code = 'export async function action({ promptText }) { return promptText; }\n';
    const main = '# echo\n\nEchoes.\n\n## Input Format\n- **promptText** (string): What\n';
    await install({ 'echo/cskill.md': main, 'echo/src/index.mjs': code, 'echo/specs/a.md': 'a' });
    expect(await onDisk('echo/assets/original/src/index.mjs')).toBe(code);
    expect(await onDisk('echo/assets/original/specs/a.md')).toBe('a');
    expect(JSON.parse(await onDisk('echo/assets/tool.json'))).toMatchObject({
      name: 'skill_echo',
      parameters: { properties: { promptText: { type: 'string' } } },
      run: { type: 'script', script: 'assets/original/src/index.mjs', call: 'action' },
    });
  });

  test('of a table has its fields as a schema next to the instructions', async () => {
    const main = `# Customers

## Table Purpose
Keeps customers.

## Fields

### customer_id

#### Description
Unique integer identifier (primary key)

#### Field Value Is Required
Always required

### status

#### Description
State of the account (enum: active, pending)

#### Field Value Validator
One of these.

#### Field Value Enumerator
Return ["active", "pending"]

## Business Rules

- Emails are unique
`;
    await install({ 'customers/tskill.md': main });
    expect(JSON.parse(await onDisk('customers/references/schema.json'))).toMatchObject({
      title: 'Customers',
      description: 'Keeps customers.',
      type: 'object',
      properties: {
        customer_id: { type: 'integer', description: 'Unique integer identifier (primary key)' },
        status: {
          type: 'string',
          enum: ['active', 'pending'],
          'x-field-value-validator': 'One of these.',
        },
      },
      required: ['customer_id'],
    });
    const body = await onDisk('customers/SKILL.md');
    expect(body).toContain('## Business Rules');
    expect(body).toContain('in references/schema.json as a JSON schema');
  });

  test.each(['cgskill', 'dcgskill'])(
    'of the kind %s has its code generated when it is called',
    async (kind) => {
      await install({ [`a.${kind}.md`]: '# a\n\nDoes a.\n' });
      expect(JSON.parse(await onDisk('a/assets/tool.json')).run).toEqual({ type: 'generated' });
      await install({ [`b.${kind}.md`]: '# b\n\nDoes b.\n', 'b.generated.mjs': 'export {};\n' });
      expect(JSON.parse(await onDisk('b/assets/tool.json')).run).toMatchObject({ type: 'script' });
    },
  );

  test.each([
    ['## Imports\n\n- lodash\n- node:path', 'typed-import-unavailable', 'lodash'],
    ['## Imports\n\n- ../other/run.mjs', 'typed-import-unavailable', '../other/run.mjs'],
    ['## Imports\n\n- /etc/run.mjs', 'typed-import-unavailable', '/etc/run.mjs'],
    ["## Imports\n\n```js\nimport axios from 'axios';\n```", 'typed-import-unavailable', 'axios'],
    ['## Config\n\n{ "imports": ["axios"] }', 'typed-import-unavailable', 'axios'],
    ['## Context\n\n{ "a-b": 1 }', 'typed-context-invalid', 'a-b'],
    ['## Context\n\n{ "input": 1 }', 'typed-context-invalid', 'input'],
    ['## Context\n\n```json\n[1]\n```', 'typed-context-invalid', 'not an object'],
    ['## Context\n\n```json\n{ rates }\n```', 'typed-context-invalid', 'JSON'],
    ['## Config\n\n{ "context": "all" }', 'typed-context-invalid', 'not an object'],
  ])('with code that has %s reports that it has no effect', async (section, code, named) => {
    const text = `# a\n\nDoes a.\n\n${section}\n`;
    const report = only(await validate({ 'a.cgskill.md': text }));
    expect(report.accepted).toBe(true);
    const found = report.diagnostics.filter((each) => each.code === code);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain(named);
  });

  test('with code keeps a textual context as instructions', async () => {
    const text = '# a\n\nDoes a.\n\n## Context\n\nYou work in a warehouse.\n';
    const report = only(await validate({ 'a.cgskill.md': text }));
    await install({ 'a.cgskill.md': text });
    expect(codesOf(report)).not.toContain('typed-context-invalid');
    expect(await onDisk('a/SKILL.md')).toContain('You work in a warehouse.');
    expect(JSON.parse(await onDisk('a/assets/tool.json')).run).toEqual({ type: 'generated' });
  });

  test('alone in an upload is recognised by its name', async () => {
    expect(only(await sendFile('summarize.skill.md', summarize))).toMatchObject({
      name: 'summarize',
      origin: { kind: 'typed-skill', name: 'skill summarize' },
    });
  });

  test('without a name and a heading is rejected', async () => {
    const report = only(await validate({ '.skill.md': 'Does something.\n' }));
    expect(report.accepted).toBe(false);
    expect(codesOf(report)).toContain('typed-name-missing');
  });

  test('with a config that is not JSON reports it, and is imported without it', async () => {
    const text = '# a\n\nDoes a.\n\n## Config\n\n```json\n{ model }\n```\n';
    const report = only(await validate({ 'a.skill.md': text }));
    expect(report.accepted).toBe(true);
    expect(codesOf(report)).toContain('typed-config-invalid');
  });
});

test('with long runs of one character is parsed in linear time', async () => {
  const blanks = ' '.repeat(80_000);
  const typed = [
    `# Deploy${blanks}x`,
    'Deploys.',
    `## Parameters\n- city${blanks}x\n- name:${blanks}x\u2028y`,
    `## Config\n${'`'.repeat(60_000)}\n${'a'.repeat(60_000)}`,
    `## Prompt\n${'`'.repeat(60_000)}\n${'a'.repeat(60_000)}`,
  ];
  const texts = {
    'deploy.skill.md': typed.join('\n\n'),
    'deploy.oskill.md': typed.join('\n\n'),
    ...handlerPlugin('letters', { hubId: `a${'-'.repeat(200_000)}b` }),
  };
  const pause = await measureLongestPause(() => validate(texts), processorClock);
  expect(pause).toBeLessThan(1000);
});

test('with many plugins is parsed without blocking others', async () => {
  const plugins = Array.from({ length: 900 }, (_, at) => [
    [`p${at}/.claude-plugin/plugin.json`, '{"name":"p"}'],
    [`p${at}/commands/a.md`, 'Do it.'],
  ]);
  const texts: Texts = Object.fromEntries(plugins.flat());
  let report: ArchiveReport | undefined;
  const read = async () => {
    report = await validate(texts);
  };
  const pause = await measureLongestPause(read, processorClock);
  expect(report?.plugins).toHaveLength(900);
  expect(pause).toBeLessThan(500);
});

describe('a plugin with skills', () => {
  test('of Claude Code provides its skills and commands, and lists what is ignored', async () => {
    const texts = {
      'p/.claude-plugin/plugin.json': '{"name":"office","version":"2.0"}',
      'p/skills/notes/SKILL.md': skillFile('notes', 'Takes notes.'),
      'p/commands/review.md': '---\ndescription: Reviews a change.\n---\n\nReview $ARGUMENTS.\n',
      'p/hooks/hooks.json': '{}',
      'p/.mcp.json': '{}',
      'p/agents/a.md': 'a',
    };
    const { skills, plugins } = await validate(texts);
    expect(skills).toMatchObject([
      { name: 'notes', accepted: true, origin: { kind: 'plugin', name: 'office 2.0' } },
      { name: 'review', description: 'Reviews a change.', accepted: true, diagnostics: [] },
    ]);
    expect(plugins).toEqual([
      {
        name: 'office',
        folder: 'p',
        skills: 2,
        left: [
          { what: 'agents/', why: 'sub-agent' },
          { what: 'hooks/', why: 'hook' },
          { what: '.mcp.json', why: 'mcp-server' },
        ],
      },
    ]);
    await install(texts);
    expect(await onDisk('notes/SKILL.md')).toBe(texts['p/skills/notes/SKILL.md']);
    const review = admin('/api/admin/skills/review');
    expect(await parseAnswer(adminSkillsApi.get.response, review)).toMatchObject({
      ...{ modelInvocable: false, userInvocable: true, diagnostics: [] },
    });
  });

  test('provides the skills it lists: in the manifest, as a file and as a folder', async () => {
    const manifest = {
      id: 'office',
      skills: [
        {
          id: 'inline-one',
          name: 'Inline One',
          description: 'Is in the manifest.',
          source: { kind: 'inline', content: 'Do one.' },
          files: [{ path: 'references/a.md', content: 'A' }],
          tags: ['x'],
          category: 'ops',
          requiresTools: ['shell'],
        },
        {
          id: 'two',
          name: 'Two',
          description: 'Is a file.',
          source: { kind: 'file', path: 'two.md' },
        },
        {
          id: 'three',
          source: { kind: 'directory', path: './skills/three' },
          defaultEnabled: false,
        },
        { id: 'four', source: { kind: 'directory', path: '../outside' } },
      ],
    };
    const texts = {
      'office/plugin.json': JSON.stringify(manifest),
      'office/two.md': 'Do two.',
      'office/skills/three/SKILL.md': skillFile('three', 'Is a folder.'),
      'office/skills/three/a.txt': 'a',
    };
    const { skills } = await validate(texts);
    expect(skills.map(({ name, accepted }) => [name, accepted])).toEqual([
      ['inline-one', true],
      ['two', true],
      ['three', true],
      ['four', false],
    ]);
    expect(await install(texts, '?select=inline-one,two,three')).toMatchObject([
      { name: 'inline-one' },
      { name: 'two' },
      { name: 'three', files: 2, off: true },
    ]);
    const one = await onDisk('inline-one/SKILL.md');
    expect(one).toContain('description: "Is in the manifest."');
    expect(one).toContain('requires-tools: "shell"');
    expect(await onDisk('inline-one/references/a.md')).toBe('A');
  });

  test('with a broken manifest reports it; its skills are still imported', async () => {
    const { skills } = await validate({
      'p/.claude-plugin/plugin.json': '{"name" "office"}',
      'p/skills/notes/SKILL.md': skillFile('notes', 'Takes notes.'),
    });
    expect(skills).toMatchObject([{ name: 'notes', accepted: true }, { accepted: false }]);
  });

  test('of a marketplace lists which plugins are hosted elsewhere', async () => {
    const list = {
      name: 'market',
      plugins: [
        { name: 'here', source: './p' },
        { name: 'there', source: { source: 'url', url: 'https://example.org' } },
      ],
    };
    const { plugins } = await validate({
      '.claude-plugin/marketplace.json': JSON.stringify(list),
      'p/.claude-plugin/plugin.json': '{"name":"here"}',
      'p/skills/notes/SKILL.md': skillFile('notes', 'Takes notes.'),
    });
    expect(plugins).toMatchObject([
      { name: 'here', skills: 1 },
      { name: 'market', skills: 0, left: [{ what: 'there', why: 'elsewhere' }] },
    ]);
  });
});

test('Achilles models are proposed as entries, which an admin may add', async () => {
  const models = {
    opus: { provider: 'Anthropic', model: 'claude-3', apiKeyEnv: 'CLAUDE_API_KEY' },
    'my model': { provider: 'openai', model: 'gpt', apiKeyEnv: 'KEY' },
    odd: 1,
  };
  const opus = {
    ...{ id: 'opus', name: 'opus', provider: 'anthropic', modelId: 'claude-3', enabled: false },
    apiKeyEnv: 'CLAUDE_API_KEY',
  };
  const { plugins } = await validate({
    'a/models.json': JSON.stringify(models),
    'a/deploy.skill.md': '# Deploy\n\nDeploys.\n',
  });
  expect(plugins).toEqual([
    {
      ...{ name: 'models.json', folder: 'a', skills: 0 },
      left: [{ what: 'my model (openai, gpt, KEY)', why: 'model' }],
      models: [opus],
    },
  ]);
  const added = await admin('/api/admin/models/opus', { method: 'PUT', json: opus });
  expect(added.ok).toBe(true);
});

test("lists AnythingLLM's own skills that were switched, with their equivalents here", async () => {
  const { plugins } = await validate({
    'settings.json': JSON.stringify({
      default_agent_skills: '["web-scraping","sql-agent"]',
      disabled_agent_skills: 'rag-memory, web-scraping',
    }),
    ...handlerPlugin('letter-counter'),
  });
  expect(plugins).toMatchObject([
    {
      name: 'settings.json',
      left: [
        { what: 'web-scraping (on): builtin/fetch_page', why: 'built-in-here' },
        { what: 'sql-agent (on)', why: 'built-in-there' },
        { what: 'rag-memory (off)', why: 'built-in-there' },
        { what: 'web-scraping (off): builtin/fetch_page', why: 'built-in-here' },
      ],
    },
  ]);
});

test('rejects an archive without anything that can become a skill', async () => {
  const zip = createTextZip({ 'a.txt': 'a', 'package.json': '{}' });
  const response = await postArchive(admin, 'validate', zip, 'application/zip');
  expect(await parseProblem(response)).toMatchObject({
    code: 'invalid-archive',
    issues: [{ code: 'no-skill' }],
  });
});
