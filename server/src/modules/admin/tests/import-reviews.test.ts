import { type ArchiveReport, archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentFlow, createTextZip, handlerPlugin } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
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
beforeAll(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

type Texts = Record<string, string>;
const review = async (texts: Texts): Promise<ArchiveReport> =>
  parseAnswer(
    archiveReportSchema,
    await postArchive(admin, 'validate', createTextZip(texts), 'application/zip'),
  );
const names = ({ skills }: ArchiveReport) => skills.map(({ name }) => name).sort();
const step = { type: 'apiCall', config: { url: 'https://example.org' } };
const root = skillFile('collection', 'A collection of tools.');

test.each<[string, string, Texts]>([
  ['in the root', '', { 'SKILL.md': root }],
  ['in a folder', 'pack/', { 'pack/SKILL.md': root }],
])('shows plugins below a SKILL.md %s', async (_, at, main) => {
  const report = await review({
    ...main,
    ...handlerPlugin(`${at}letter-counter`),
    ...handlerPlugin(`${at}deep/down/word-counter`),
    [`${at}ops/.claude-plugin/plugin.json`]: JSON.stringify({ name: 'ops' }),
    [`${at}ops/skills/deploy/SKILL.md`]: skillFile('deploy', 'Deploys.'),
    [`${at}references/example.md`]: 'An example.',
  });
  expect(names(report)).toEqual(['collection', 'deploy', 'letter-counter', 'word-counter']);
  const collection = report.skills.find(({ name }) => name === 'collection');
  expect(collection?.files.map(({ path }) => path)).toContain('letter-counter/plugin.json');
  expect(report.plugins).toMatchObject([{ name: 'ops', skills: 1 }]);
});

test.each<[string, string, string, string]>([
  [
    'a flow that is not JSON',
    'agent-flows/a.json',
    '{"name": "A", ',
    'The flow has the wrong shape',
  ],
  [
    'a flow truncated in its steps',
    'a.json',
    '{"steps": [{"type": ',
    'The flow has the wrong shape',
  ],
  ['a flow without steps', 'agent-flows/b.json', '{"name": "B"}', 'no list of steps'],
  ['a flow with steps without a type', 'b.json', '{"steps": [{"kind": "x"}]}', 'no list of steps'],
  [
    'a flow named by its ID',
    '0ff6a1a2-51c9-4f5c-9a46-6f5f1f2b7a11.json',
    '[]',
    'it is not an object',
  ],
])('explains why %s is not imported', async (_, path, text, reason) => {
  const report = await review({ [path]: text, 'good/SKILL.md': skillFile('good', 'Is good.') });
  expect(report.leftOut).toEqual([]);
  const refused = report.skills.find(({ name }) => name !== 'good');
  expect(refused?.accepted).toBe(false);
  expect(refused?.diagnostics.map(({ message }) => message).join()).toContain(reason);
});

test.each(['anythingllm_mcp_servers.json', 'config/mcp.json', '.mcp.json'])(
  'lists the tool servers of %s with what to do',
  async (path) => {
    const servers = { mcpServers: { jira: { command: 'jira' }, wiki: { url: 'https://w.org' } } };
    const report = await review({
      [path]: JSON.stringify(servers),
      'good/SKILL.md': skillFile('good', 'Is good.'),
    });
    expect(report.leftOut).toEqual([]);
    expect(report.plugins).toMatchObject([
      {
        left: [
          { what: 'jira', why: 'mcp-server' },
          { what: 'wiki', why: 'mcp-server' },
        ],
      },
    ]);
  },
);

const flowId = '7f0c9a52-93a1-4d0a-a4c6-0d6cbe9df8a1';

test.each<[string, unknown, unknown, Record<string, boolean>]>([
  ['JSON', '["letter-counter"]', `["@@flow_${flowId}"]`, { 'letter-counter': false, flow: true }],
  ['words with commas', '@@letter-counter, x', flowId, { 'letter-counter': false, flow: true }],
  ['lists', [], ['Weather Report'], { 'letter-counter': true, flow: true }],
  ['nothing', [], [], { 'letter-counter': true, flow: false }],
])("proposes AnythingLLM's on/off settings, as %s", async (_, on, off, expected) => {
  const report = await review({
    ...handlerPlugin('letter-counter'),
    [`agent-flows/${flowId}.json`]: agentFlow([step]),
    'settings.json': JSON.stringify({ default_agent_skills: on, disabled_agent_skills: off }),
  });
  const isOff = Object.fromEntries(
    report.skills.map(({ name, origin }) => [
      name === 'letter-counter' ? name : 'flow',
      origin?.off,
    ]),
  );
  expect(isOff).toEqual(expected);
});

test("lists a plugin's README among the instructions", async () => {
  const report = await review(handlerPlugin('letter-counter'));
  expect(report.skills[0]?.origin?.mapped).toContainEqual({ from: 'README.md', to: 'SKILL.md' });
});

test('counts skills of the same archive as available dependencies', async () => {
  const needing = (name: string, others: string) =>
    `---\nname: ${name}\ndescription: Needs others.\nmetadata:\n  depends-on: ${others}\n---\n\nDo.\n`;
  const report = await review({
    'one/SKILL.md': needing('one', 'two'),
    'two/SKILL.md': needing('two', 'three'),
  });
  const missing = (name: string) =>
    report.skills
      .find((skill) => skill.name === name)
      ?.diagnostics.filter(({ code }) => code === 'dependencies-missing');
  expect(missing('one')).toEqual([]);
  expect(missing('two')).toHaveLength(1);
});

test('reports that a folder or slug is renamed', async () => {
  const messages = ({ skills }: ArchiveReport) =>
    skills.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message));
  const folder = await review({ 'P Five/SKILL.md': skillFile('p-five', 'Sketches.') });
  expect(messages(folder)).toContain(
    'The folder "P Five" becomes "p-five", the name in its SKILL.md.',
  );
  const document = { formatVersion: 2, skill: { slug: 'P Five', content: '# Sketch\n\nDraw.' } };
  const portable = await parseAnswer(
    archiveReportSchema,
    await postArchive(admin, 'validate', Buffer.from(JSON.stringify(document)), 'application/json'),
  );
  expect(messages(portable)).toContain('"P Five" is not a valid name; "p-five" is used.');
});
