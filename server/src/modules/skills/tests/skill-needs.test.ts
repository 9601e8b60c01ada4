import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { afterEach, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { testSource, testTool } from '../../../testing/tool-source.ts';
import type { Files } from '../../../testing/write-files.ts';

let server: TestServer;
afterEach(() => server.close());

const skill = (name: string, fields: string) => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: About ${name}.\n${fields}---\nDo ${name}.\n`,
});

const files: Files = {
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['report', 'charts', 'one'], tools: ['*'] },
  'config/groups.json': {
    groups: {
      anonymous: {
        id: 'anonymous',
        name: 'Anonymous',
        permissions: { apps: ['*'], models: ['*'], skills: ['*'], tools: ['*'] },
      },
      admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
    },
  },
  'config/skills.json': { skills: { sleeping: { enabled: false } } },
  ...skill(
    'report',
    'metadata:\n  depends-on: charts, hidden, sleeping, nowhere\nrequires-tools: office__draw mcp__office__draw none\nallowed-tools: mcp__office__draw(red) activate_skill\n',
  ),
  ...skill('charts', ''),
  ...skill('hidden', ''),
  ...skill('sleeping', ''),
  ...skill('one', 'depends-on: [two]\n'),
  ...skill('two', 'depends-on: [three, charts]\n'),
  ...skill('three', 'depends-on: [one]\n'),
};

const tools = ['draw', 'erase'].map((name) => testTool({ name }));

async function start(...script: Parameters<typeof scriptedModel>) {
  const model = scriptedModel(...script);
  server = await startTestServer({ files, model: model.ask, toolSources: [testSource(tools)] });
  return model;
}

test('an admin sees which tools and skills a skill lacks, and circular dependencies', async () => {
  await start(says('.'));
  const admin = await signInAdmin(server);
  await admin('/api/admin/tools');
  const diagnosticsOf = async (name: string) => {
    const path = `/api/admin/skills/${name}`;
    const { diagnostics } = await parseAnswer(adminSkillDetailSchema, admin(path));
    return diagnostics
      .filter(({ code }) => /^(tools|dependencies)-/.test(code))
      .map(({ code, message }) => `${code}: ${message}`);
  };
  expect(await diagnosticsOf('report')).toEqual([
    'tools-missing: The skill requires tools that are not available here: none. It is offered anyway.',
    'dependencies-missing: The skill depends on skills that do not exist: nowhere. It is offered anyway.',
    'dependencies-off: The skill depends on skills that are off: sleeping. It is offered anyway.',
  ]);
  expect(await diagnosticsOf('one')).toEqual([
    'dependencies-circular: These skills depend on each other: one → two → three → one.',
  ]);
  expect(await diagnosticsOf('charts')).toEqual([]);
  const detail = await parseAnswer(adminSkillDetailSchema, admin('/api/admin/skills/report'));
  expect(detail.dependsOn).toEqual(['charts', 'hidden', 'sleeping', 'nowhere']);
});

test('activating a skill lists those it builds on, as far as they are visible', async () => {
  const model = await start(calls(['activate_skill', { skill_name: 'report' }]), says('.'));
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  const { conversationId } = await takeTurn(visitor, { message: 'Report' });
  const told = model.requests[1]?.messages.at(-1)?.content;
  expect(told).toContain(
    '<skill_dependencies>\n  <skill name="charts">About charts.</skill>\n</skill_dependencies>',
  );
  expect(told).not.toMatch(/About (hidden|sleeping)/);
  const admin = await signInAdmin(server);
  const app = { ...(files['apps/chat.json'] as object), skills: ['report'] };
  await admin('/api/admin/apps/chat', { method: 'PUT', json: app });
  await takeTurn(visitor, { message: 'And now?', conversationId });
  const now = JSON.stringify(model.requests.at(-1));
  expect(now).toContain('Do report.');
  expect(now).not.toContain('charts.');
});

test('while a skill that lists its tools is the only one, no others are offered', async () => {
  const model = await start(
    calls(['activate_skill', { skill_name: 'report' }]),
    calls(['office__erase', {}], ['activate_skill', { skill_name: 'charts' }]),
    says('.'),
  );
  await takeTurn(server.visitor(), { message: 'Report' });
  const offered = model.requests.map((request) =>
    request.tools.map(({ name }) => name).filter((name) => name.startsWith('office__')),
  );
  expect(offered).toEqual([
    ['office__draw', 'office__erase'],
    ['office__draw'],
    ['office__draw', 'office__erase'],
  ]);
  const results = model.requests[2]?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results[1]?.content).toContain('There is no tool "office__erase"');
});
