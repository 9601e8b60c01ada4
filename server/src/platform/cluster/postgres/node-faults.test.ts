import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readFileTree } from '../../../testing/backup-calls.ts';
import { keepTalking, type Talk } from '../../../testing/keep-talking.ts';
import { type NodeFleet, startFleet } from '../../../testing/node-fleet.ts';
import { runPostgres } from '../../../testing/run-postgres.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** Full size: `TALKS=300 NODE_KILLS=30 SHARED_WRITES=1000`. */
const talks = inject('talks');
const kills = inject('nodeKills');
const writes = inject('sharedWrites');
const betweenKillsMs = talks > 100 ? 10_000 : 1000;

const unlimited = {
  'config/platform.json': { rateLimit: { requests: 0, turns: 0, streams: 0 } },
};
const words = 100;

const report = (what: string, figures: object) =>
  void process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);

async function checkAll(all: Talk[], { asked }: NodeFleet): Promise<Record<string, number>> {
  const ends: Record<string, number> = {};
  for (const talk of all) {
    for (const end of await talk.check()) {
      ends[end] = (ends[end] ?? 0) + 1;
    }
  }
  expect([...asked].filter(([, count]) => count > 1)).toEqual([]);
  return ends;
}

test('keeps every accepted message, completes or marks each answer, and runs no turn twice while nodes are killed', async () => {
  const fleet = await startFleet(await createNodes(unlimited), 3, words);
  let isDone = false;
  const all = Array.from({ length: talks }, () => keepTalking(fleet.admin, words, () => isDone));
  for (let kill = 0; kill < kills; kill += 1) {
    await wait(betweenKillsMs);
    await fleet.members[kill % fleet.members.length]?.crash();
  }
  isDone = true;
  await Promise.all(all.map(({ ended }) => ended));
  const ends = await checkAll(all, fleet);
  expect(ends.complete).toBeGreaterThan(talks);
  expect(ends.interrupted).toBeGreaterThan(0);
  expect(fleet.asked.size).toBeGreaterThan(talks);
  report(`${kills} kills, ${talks} talks at once`, ends);
}, 1_800_000);

test.skipIf(!existsSync('/usr/lib/postgresql'))(
  'rejects requests with a retry time and loses no answer while PostgreSQL restarts',
  async () => {
    const postgres = await runPostgres();
    onTestFinished(postgres.stop);
    const fleet = await startFleet(await createNodes(unlimited, postgres.url), 3, 10 * words);
    let isDone = false;
    const all = Array.from({ length: talks }, () =>
      keepTalking(fleet.admin, 10 * words, () => isDone),
    );
    await waitFor(() => fleet.asked.size >= talks);
    await postgres.halt();
    await wait(betweenKillsMs);
    const health = `http://127.0.0.1:${fleet.members[0]?.port}/api/health`;
    expect((await fetch(health)).status).toBe(200);
    const away = await fleet.admin('/api/conversations');
    expect([away.status, Number(away.headers.get('retry-after'))]).toEqual([503, 5]);
    await postgres.goOn();
    await waitFor(async () => (await fleet.admin('/api/ready')).status === 200);
    await wait(1000);
    isDone = true;
    await Promise.all(all.map(({ ended }) => ended));
    const ends = await checkAll(all, fleet);
    report('PostgreSQL started again', ends);
    expect(ends.interrupted).toBeUndefined();
    expect(ends.complete).toBeGreaterThanOrEqual(talks);
    const refused = new Set(all.flatMap((talk) => talk.refused));
    expect(
      [...refused].every((each) => /^503 \d+$/.test(each)),
      [...refused].join(),
    ).toBe(true);
    expect(fleet.members.map(({ child }) => child.process.exitCode)).toEqual([null, null, null]);
  },
  1_800_000,
);

test('propagates concurrent skill writes to all nodes within two seconds, even if notifications are lost', async () => {
  const nodes = await createNodes(unlimited);
  const { members } = await startFleet(nodes, 3, words);
  const client = new pg.Client({ connectionString: nodes.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const stored = new Map<string, string>();
  const durations: number[] = [];
  let next = 0;
  const writeOn = async () => {
    for (let number = next++; number < writes; number = next++) {
      if (number === Math.floor(writes / 2)) {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'knowhow node'`,
        );
      }
      const name = `references/${number % 100}.md`;
      const body = `Number ${number}`;
      const startedAt = performance.now();
      const path = `/api/admin/skills/meeting-notes/files/${name}`;
      const answer = await members[number % 3]?.admin(path, { method: 'PUT', body });
      durations.push(performance.now() - startedAt);
      expect([200, 412, 503]).toContain(answer?.status);
      if (answer?.status === 200 && number < 100) {
        stored.set(`skills/meeting-notes/${name}`, body);
      }
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 9 }, writeOn));
  const ended = performance.now();
  const trees = () => Promise.all(members.map(({ folder }) => readFileTree(`${folder}/contents`)));
  const areEqual = async () =>
    new Set((await trees()).map((tree) => JSON.stringify(tree))).size === 1;
  await waitFor(areEqual);
  const equalMs = performance.now() - ended;
  const sorted = durations.sort((one, other) => one - other);
  report(`${writes} writes over three nodes`, {
    seconds: Math.round((ended - startedAt) / 1000),
    medianMs: Math.round(sorted[Math.floor(durations.length / 2)] ?? 0),
    slowestMs: Math.round(sorted.at(-1) ?? 0),
    equalMs: Math.round(equalMs),
  });
  expect(equalMs).toBeLessThan(2000);
  const [tree = {}] = await trees();
  expect(Object.keys(tree)).toEqual(expect.arrayContaining([...stored.keys()]));
  const { rows } = await client.query('select path from content_files order by path');
  const onNodes = Object.keys(tree).filter((path) => path.includes('/'));
  expect(onNodes.sort()).toEqual(rows.map(({ path }) => path).sort());
}, 1_800_000);
