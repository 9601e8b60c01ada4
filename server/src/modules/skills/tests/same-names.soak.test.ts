import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { memorySource } from '../../../testing/memory-source.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const count = 20_000;

/** A server with this many skills of one name, its log, and its model's requests. */
async function start(pathOf: (at: number) => string) {
  const source = memorySource();
  for (let at = 0; at < count; at += 1) {
    source.put(pathOf(at), {
      'SKILL.md': `---\nname: report\ndescription: Writes reports, way ${at}.\n---\nWrite it.\n`,
    });
  }
  const lines: string[] = [];
  const model = scriptedModel(says('Done.'));
  const server = await startTestServer({
    ...{ model: model.ask, skillSources: [source] },
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  onTestFinished(() => server.close());
  return { server, admin: await signInAdmin(server), model, lines };
}

/** A list's response, with its total and size. */
async function listOf(visitor: Visitor, path: string) {
  const response = await visitor(path);
  const body = await response.text();
  return { status: response.status, json: JSON.parse(body), length: body.length };
}

test('of 20,000 skills with one name one is used, and the others are listed page by page', {
  timeout: 120_000,
}, async () => {
  const { server, admin, model, lines } = await start((at) => `team-${at}/report`);
  const visitor = server.visitor();
  const pause = await measureLongestPause(async () => {
    const skills = await listOf(visitor, '/api/skills');
    expect(skillsApi.list.response.parse(skills.json).total).toBe(3);
    expect((await takeTurn(visitor, { message: 'Write a report' })).text).toBe('Done.');
    const all = await listOf(admin, '/api/admin/skills?query=report');
    const { total, items } = adminSkillsApi.list.response.parse(all.json);
    expect(total).toBe(count);
    expect(items.length).toBeLessThanOrEqual(100);
    expect(all.length).toBeLessThan(200_000);
    expect((await visitor('/api/skills/report')).status).toBe(200);
  }, processorClock);
  expect(model.requests[0]?.system?.split('<name>report</name>')).toHaveLength(2);
  expect(lines.length).toBeLessThan(100);
  expect(pause).toBeLessThan(1500);
});

test('20,000 folders that declare the same name are separate skills, some of which fit a request', {
  timeout: 120_000,
}, async () => {
  const { server, admin, model, lines } = await start((at) => `report-${at}`);
  const visitor = server.visitor();
  const skills = await listOf(visitor, '/api/skills?query=report');
  const found = skillsApi.list.response.parse(skills.json);
  expect(found.total).toBeGreaterThanOrEqual(count);
  expect(found.items.length).toBeLessThanOrEqual(100);
  expect((await takeTurn(visitor, { message: 'Write a report' })).text).toBe('Done.');
  const { system = '' } = model.requests[0] ?? {};
  expect(system.length).toBeLessThan(20_000);
  expect(system).toContain(`of ${count + 2} skills`);
  expect((await listOf(admin, '/api/admin/skills')).status).toBe(200);
  expect((await visitor('/api/skills/report-19999')).status).toBe(200);
  expect(lines.length).toBeLessThan(100);
});
