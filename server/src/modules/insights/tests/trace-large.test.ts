import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { memorySource } from '../../../testing/memory-source.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { readTrace, whySkill } from '../../../testing/read-trace.ts';
import { calls, choosingModel, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const count = 10_000;
const nameOf = (at: number) => `skill-of-team-${at}`;

test('with 10,000 visible skills traces stay small, and load quickly', {
  timeout: 60_000,
}, async () => {
  const skills = Array.from({ length: count }, (_, at) => [
    nameOf(at),
    { 'SKILL.md': skillFile(nameOf(at), `Looks after what team ${at} wants done with letters.`) },
  ]);
  const server = await startTestServer({
    model: scriptedModel(says('Hello.')).ask,
    skillSources: [memorySource(Object.fromEntries(skills))],
  });
  const admin = await signInAdmin(server);
  const visitor = server.visitor();
  const turns = 10;
  let turn = await takeTurn(visitor, { message: 'Letters of team 0' });
  for (let at = 1; at < turns; at += 1) {
    turn = await takeTurn(visitor, { message: `Letters of team ${at}` });
  }
  await readTrace(admin, turn);
  const began = performance.now();
  const trace = await readTrace(admin, turn);
  expect(performance.now() - began).toBeLessThan(1000);
  const { catalogue } = trace.rounds[0] ?? {};
  expect(catalogue?.mode).toBe('ranked');
  expect(catalogue?.totals.leftOut).toBeGreaterThan(count - 500);
  expect(catalogue?.leftOut).toHaveLength(1000);
  expect(JSON.stringify(trace).length).toBeLessThan(100_000);
  expect(await whySkill(admin, turn, nameOf(count - 1))).toMatchObject({ outcome: 'left-out' });
  const database = await openTestDatabase(join(server.folder, 'data'));
  const sizes = (rows: { bytes: ArrayBuffer }[]) => rows.map(({ bytes }) => bytes.byteLength);
  const traces = sizes(await database.selectFrom('traces').select('bytes').execute());
  const parts = sizes(await database.selectFrom('trace_parts').select('bytes').execute());
  await database.destroy();
  expect(traces).toHaveLength(turns);
  expect(Math.max(...traces)).toBeLessThan(2000);
  // One list of visible skills for all of them, and a catalogue for each.
  expect(parts.sort((one, other) => other - one).filter((size) => size > 20_000)).toHaveLength(1);
  expect(parts.length).toBeLessThanOrEqual(turns + 1);
  await server.close();
});

test('with 5,000 withdrawn skills, many long calls load instantly', {
  timeout: 60_000,
}, async () => {
  const skills = Array.from({ length: 5000 }, (_, at) => [
    nameOf(at),
    { 'SKILL.md': skillFile(nameOf(at), `Looks after what team ${at} wants done with letters.`) },
  ]);
  const long = 'skill-of-tea '.repeat(800);
  const model = choosingModel(({ messages }) => {
    const asked = messages.filter(({ role }) => role === 'tool').length;
    const query = (at: number) => ({ query: `${asked + at} ${long}` });
    return asked < 64
      ? calls(...Array.from({ length: 32 }, (_, at): [string, unknown] => ['none', query(at)]))
      : says('Done.');
  });
  const app = { id: 'chat', name: 'Chat', system: 'Help.', showTrace: true };
  const server = await startTestServer({
    model: model.ask,
    files: { 'apps/chat.json': { ...app, skills: ['*'] } },
    skillSources: [memorySource(Object.fromEntries(skills))],
  });
  const admin = await signInAdmin(server);
  const visitor = server.visitor();
  const turn = await takeTurn(visitor, { message: 'Letters' });
  expect((await readTrace(visitor, turn)).rounds).toHaveLength(3);
  const json = { ...app, skills: [] };
  expect((await admin('/api/admin/apps/chat', { method: 'PUT', json })).status).toBe(200);
  let text = '';
  const pause = await measureLongestPause(async () => {
    text = JSON.stringify(await readTrace(visitor, turn));
  }, processorClock);
  expect(text).not.toContain(nameOf(1));
  expect(pause).toBeLessThan(1000);
  await server.close();
});
