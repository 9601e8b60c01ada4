import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../lib/log.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { breakableDatabase } from '../../testing/breakable-database.ts';
import { openGate } from '../../testing/open-gate.ts';
import { testPlace } from '../../testing/test-database.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { openPostgresCluster } from './postgres-cluster.ts';

/** Nodes on one database, each by a way of its own that can be cut. */
async function openNodes(count: number, leaseMs = 400) {
  const { databaseUrl = '' } = await testPlace(await temporaryFolder());
  const open = async () => {
    const way = await breakableDatabase(databaseUrl);
    const database = await openDatabase({ dataDirectory: '', databaseUrl: way.url });
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

test('a lock is one node’s at a time, its holder’s to take again, and goes with the connection of who dies', async () => {
  const { one, other } = await two();
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await wait(2);
    inside -= 1;
  };
  const nested = (node: Nodes[number]) =>
    node.withLock('a', () => node.withLock('b', () => node.withLock('a', work)));
  await Promise.all(Array.from({ length: 10 }, () => [nested(one), nested(other)]).flat());
  expect(most).toBe(1);
  const gate = openGate();
  const begun = openGate();
  const held = one.withLock('a', () => {
    begun.open();
    return gate.passed;
  });
  await begun.passed;
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

test('a message reaches each node once, and who was cut off is told to compare', async () => {
  const { one, other } = await two();
  const heard: string[] = [];
  one.subscribe('a', (message) => heard.push(`one ${message}`));
  const leave = other.subscribe(
    'a',
    (message) => heard.push(`other ${message}`),
    () => heard.push('other missed'),
  );
  await one.publish('a', '1');
  await waitFor(() => heard.length === 2);
  await other.publish('a', '2');
  await waitFor(() => heard.length === 4);
  expect(heard).toEqual(['one 1', 'other 1', 'other 2', 'one 2']);
  other.way.cut();
  await one.publish('a', '3');
  other.way.reconnect();
  await waitFor(() => heard.includes('other missed'));
  expect(heard).not.toContain('other 3');
  leave();
  await one.publish('a', '4');
  await other.publish('a', '5');
  await waitFor(() => heard.includes('one 5'));
  expect(heard).not.toContain('other 4');
});

test('a lease lasts as long as its node renews it, and is another’s when that hangs', async () => {
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

test('a lease that nobody took while its node was cut off stays its own', async () => {
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

test('who hangs loses what it has locked, and who dies is noticed before its time is over', async () => {
  const [one, other] = await openNodes(2, 1500);
  const gate = openGate();
  const begun = openGate();
  const held = one?.withLock('a', () => {
    begun.open();
    return gate.passed;
  });
  await begun.passed;
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

test('scheduled work is done by one node each time', async () => {
  const nodes = await openNodes(3);
  const begun: number[] = [];
  for (const { oneNode } of nodes) {
    const job = oneNode('a', '* * * * * *', async () => void begun.push(Date.now()));
    onTestFinished(job.stop);
  }
  await waitFor(() => begun.length >= 3);
  const pauses = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(500);
});

test('counts and slots are of all nodes together', async () => {
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
  const take = (most: number, index: number) => both[index % 2]?.slots('a').take('ann', most);
  const slots = await Promise.all([take(2, 0), take(2, 1)]);
  expect(await take(2, 1)).toBeUndefined();
  await slots.find(Boolean)?.release();
  expect(await take(2, 0)).toBeDefined();
  expect(await take(Number.POSITIVE_INFINITY, 0)).toBeDefined();
});
