import { createServer } from 'node:http';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillArchivesApi } from '@knowhow/shared/skills/skill-archives';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';

const written = (fields: string) =>
  `---\nname: charts\ndescription: Draws charts.\n${fields}\n---\n\nDo it.\n`;

/** A server with a skill, and a remote runner that has these runtimes. */
async function start(fields: string, runtimes?: Record<string, string>) {
  const port = await listenOn(
    createServer((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ version: 1, runtimes, skills: [] }));
    }),
  );
  const remote = {
    ...{ SCRIPT_RUNNER: 'remote', SCRIPT_RUNNER_TOKEN: 'a token for a test' },
    SCRIPT_RUNNER_URL: `http://127.0.0.1:${port}`,
  };
  const server = await startTestServer({
    environment: runtimes ? remote : { SCRIPT_RUNNER: 'off' },
    files: { 'skills/charts/SKILL.md': written(fields) },
  });
  onTestFinished(server.close);
  return signInAdmin(server);
}

/** The diagnostics about its requirements. */
async function said(fields: string, runtimes?: Record<string, string>) {
  const admin = await start(fields, runtimes);
  const skill = await parseAnswer(adminSkillsApi.get.response, admin('/api/admin/skills/charts'));
  return skill.diagnostics.map(({ code, values }) => `${code}: ${values?.runtimes}`);
}

const all = { sh: '5.2.15', python: '3.11.2', node: '20.19.0' };

describe('a skill that lists the requirements of its scripts', () => {
  test.each([
    ['compatibility: Requires Python 3.9+ and bash', []],
    ['compatibility: Needs docker and Python', ['Docker']],
    ['compatibility: Requires Python 3.12+ and Node.js 18 or newer', ['Python 3.12 (3.11.2)']],
    ['compatibility: "node >= 22"', ['Node.js 22 (20.19.0)']],
    ['metadata:\n  runtime: ruby', ['Ruby']],
    ['metadata:\n  requires-bins: "perl, python3"', ['Perl']],
    ['compatibility: Works on each node of a tree, go ahead, for java-script-free people', []],
    ['metadata:\n  topic: docker', []],
  ])('%s', async (fields, missing) => {
    const expected = missing.length > 0 ? [`runtimes-missing: ${missing.join(', ')}`] : [];
    expect(await said(fields, all)).toEqual(expected);
  });

  test('is told what the runner lacks', async () => {
    expect(await said('compatibility: Python 3, node', { sh: '5.2.15' })).toEqual([
      'runtimes-missing: Python, Node.js',
    ]);
  });

  test('is told that nothing runs scripts, and what to do', async () => {
    const admin = await start('compatibility: Requires Python 3.12+');
    const skill = await parseAnswer(adminSkillsApi.get.response, admin('/api/admin/skills/charts'));
    expect(skill).toMatchObject({ status: 'on', valid: true });
    expect(skill.diagnostics).toMatchObject([
      {
        ...{ code: 'runtimes-missing', severity: 'warning', text: 'runtimes-none' },
        message:
          'The skill requires Python 3.12, but no script runner is set up. It is offered anyway.',
        fix: expect.stringContaining('Set SCRIPT_RUNNER'),
      },
    ]);
  });
});

test('the import review reports it, too', async () => {
  const admin = await start('license: MIT', all);
  const body = createTextZip({ 'charts-2/SKILL.md': written('compatibility: Needs docker') });
  const headers = { 'Content-Type': 'application/zip' };
  const report = await parseAnswer(
    skillArchivesApi.validate.response,
    admin('/api/admin/skills/validate', { method: 'POST', body, headers }),
  );
  expect(report.skills[0]?.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'runtimes-missing', values: { runtimes: 'Docker' } }),
  );
});
