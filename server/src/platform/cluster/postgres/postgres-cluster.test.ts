import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { tables } from '../../../tables.ts';
import { breakableDatabase } from '../../../testing/breakable-database.ts';
import { openGate } from '../../../testing/open-gate.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { createLog } from '../../lib/log.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { openPostgresCluster } from './postgres-cluster.ts';

/** Nodes on one database, each through a separate proxy that can be cut. */
async function openNodes(count: number, leaseMs = 400) {
  const { databaseUrl = '' } = await createTestDatabase(await temporaryFolder());
  const open = async () => {
    const way = await breakableDatabase(databaseUrl);
    const database = await openDatabase(
      { dataDirectory: '', databaseUrl: way.url },
      tables.migrations,
    );
    const options = { database, url: way.url, version: '1', log: createLog('silent'), leaseMs };
    const cluster = await openPostgresCluster(options);
    onTestFinished(async () => {
      await cluster.close();
      await database.destroy();
    });
    return { ...cluster, way, database };
  };
  return Promise.all(Array.from({ length: count }, open));
}

type Nodes = Awaited<ReturnType<typeof openNodes>>;

async function two() {
  const [one, other] = await openNodes(2);
  if (!one || !other) {
    throw new Error('There are two.');
  }
  return { one, other };
}

test("a lock is exclusive across nodes, re-entrant, and released when its holder's connection is lost", async () => {
  const { one, other } = await two();
  let inside = 0;
  let maxInside = 0;
  const work = async () => {
    inside += 1;
    maxInside = Math.max(maxInside, inside);
    await wait(2);
    inside -= 1;
  };
  const nested = (node: Nodes[number]) =>
    node.withLock('a', () => node.withLock('b', () => node.withLock('a', work)));
  await Promise.all(Array.from({ length: 10 }, () => [nested(one), nested(other)]).flat());
  expect(maxInside).toBe(1);
  const gate = openGate();
  const started = openGate();
  const held = one.withLock('a', () => {
    started.open();
    return gate.passed;
  });
  await started.passed;
  let isTaken = false;
  const waiting = other.withLock('a', async () => {
    isTaken = true;
  });
  await other.withLock('b', work);
  expect(isTaken).toBe(false);
  one.way.cut();
  await waiting;
  gate.open();
  await held;
  await expect(one.withLock('a', work)).rejects.toThrow('does not answer');
  one.way.reconnect();
  await waitFor(() => one.withLock('a', work).then(Boolean.bind(null, true), () => false));
});

test('delivers a message to each node once, and reports missed messages after a disconnect', async () => {
  const { one, other } = await two();
  const received: string[] = [];
  one.subscribe('a', (message) => received.push(`one ${message}`));
  const unsubscribe = other.subscribe(
    'a',
    (message) => received.push(`other ${message}`),
    () => received.push('other missed'),
  );
  await one.publish('a', '1');
  await waitFor(() => received.length === 2);
  await other.publish('a', '2');
  await waitFor(() => received.length === 4);
  expect(received).toEqual(['one 1', 'other 1', 'other 2', 'one 2']);
  other.way.cut();
  await one.publish('a', '3');
  other.way.reconnect();
  await waitFor(() => received.includes('other missed'));
  expect(received).not.toContain('other 3');
  unsubscribe();
  await one.publish('a', '4');
  await other.publish('a', '5');
  await waitFor(() => received.includes('one 5'));
  expect(received).not.toContain('other 4');
});

test('a lease lasts while its node renews it, and is free for others when the node hangs', async () => {
  const { one, other } = await two();
  const lease = await one.lease('a', { owner: 'ann' });
  expect(await other.lease('a', {})).toBeUndefined();
  expect(await other.holder('a')).toEqual({ owner: 'ann' });
  await wait(1000);
  expect(await other.lease('a', {})).toBeUndefined();
  expect(lease?.lost.aborted).toBe(false);
  one.way.cut();
  await waitFor(async () => (await other.holder('a')) === undefined);
  const next = await other.lease('a', { owner: 'bob' });
  one.way.reconnect();
  await waitFor(() => lease?.lost.aborted);
  await lease?.release();
  expect(await one.holder('a')).toEqual({ owner: 'bob' });
  await next?.release();
  expect(await one.holder('a')).toBeUndefined();
});

test('keeps a lease that no other node took while its node was disconnected', async () => {
  const { one, other } = await two();
  const lease = await one.lease('a', {});
  one.way.cut();
  await waitFor(async () => (await other.holder('a')) === undefined);
  one.way.reconnect();
  await waitFor(async () => (await other.holder('a')) !== undefined);
  expect(lease?.lost.aborted).toBe(false);
  await one.close();
  expect(await other.holder('a')).toBeUndefined();
});

test('a hanging node loses its locks, and a dead node is detected before its lease expires', async () => {
  const [one, other] = await openNodes(2, 1500);
  const gate = openGate();
  const started = openGate();
  const held = one?.withLock('a', () => {
    started.open();
    return gate.passed;
  });
  await started.passed;
  one?.way.hang(true);
  let isTaken = false;
  await other?.withLock('a', async () => {
    isTaken = true;
  });
  expect(isTaken).toBe(true);
  one?.way.hang(false);
  gate.open();
  await held;
  const [dying, staying] = await openNodes(2, 8000);
  await dying?.lease('a', {});
  const before = performance.now();
  dying?.way.cut();
  await waitFor(async () => (await staying?.holder('a')) === undefined);
  expect(performance.now() - before).toBeLessThan(5000);
  dying?.way.reconnect();
});

test('runs scheduled work on one node at a time', async () => {
  const nodes = await openNodes(3);
  const started: number[] = [];
  for (const { oneNode } of nodes) {
    const job = oneNode('a', '* * * * * *', async () => void started.push(Date.now()));
    onTestFinished(job.stop);
  }
  await waitFor(() => started.length >= 3);
  const pauses = started.slice(1).map((at, index) => at - (started[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(500);
});

test('shares counters and slots between all nodes', async () => {
  const { one, other } = await two();
  const both = [one, other];
  const windows = both.map(({ limiter }) => limiter('a', 60));
  const counted = await Promise.all(
    Array.from({ length: 20 }, (_, index) => windows[index % 2]?.add('ann')),
  );
  expect(counted.map((each) => each?.count).sort((a = 0, b = 0) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  const seconds = ((counted[0]?.endsAt.getTime() ?? 0) - Date.now()) / 1000;
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThanOrEqual(60);
  await sql`update window_counts set ends = 0`.execute(one.database);
  expect((await windows[0]?.add('ann'))?.count).toBe(1);
  const [here, there] = both.map(({ leakyCounts }) => leakyCounts('a', () => 2));
  await Promise.all([here?.add('ann'), there?.add('ann')]);
  expect((await here?.read('ann'))?.count).toBeCloseTo(2, 1);
  await sql`update leaky_counts set at = at - 30000, added = added - 30000`.execute(one.database);
  expect((await there?.read('ann'))?.count).toBeCloseTo(1, 1);
  expect((await there?.read('ann'))?.age).toBeGreaterThanOrEqual(30_000);
  await there?.takeBack('ann');
  expect((await here?.read('ann'))?.count).toBe(0);
  await here?.forget('ann');
  expect(await there?.read('ann')).toEqual({ count: 0, age: Number.POSITIVE_INFINITY });
  const take = (maxInside: number, index: number) =>
    both[index % 2]?.slots('a').take('ann', maxInside);
  const slots = await Promise.all([take(2, 0), take(2, 1)]);
  expect(await take(2, 1)).toBeUndefined();
  await slots.find(Boolean)?.release();
  expect(await take(2, 0)).toBeDefined();
  expect(await take(Number.POSITIVE_INFINITY, 0)).toBeDefined();
});
