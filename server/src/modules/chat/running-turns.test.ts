import { expect, test } from 'vitest';
import { createLocalCluster } from '../../platform/cluster/local-cluster.ts';
import { createRunningTurns, stoppedByUser } from './running-turns.ts';

const turnKey = (conversationId: string, owner = 'ann') => ({
  conversationId,
  owner,
  appId: 'chat',
});

/** Two processes that share one cluster. */
function twoNodes() {
  const cluster = createLocalCluster();
  return [createRunningTurns(cluster), createRunningTurns(cluster)] as const;
}

test('allows one running turn per conversation across all processes', async () => {
  const [one, other] = twoNodes();
  const turn = await one.begin(turnKey('a'));
  expect(await other.begin(turnKey('a', 'bob'))).toBeUndefined();
  expect(await other.find('a')).toMatchObject({ owner: 'ann', appId: 'chat' });
  expect(await other.find('b')).toBeUndefined();
  await turn?.end();
  expect(await other.find('a')).toBeUndefined();
  expect(await other.begin(turnKey('a', 'bob'))).toBeDefined();
});

test('lets only the owner stop a turn, from any process, and leaves other turns running', async () => {
  const [one, other] = twoNodes();
  const turn = await one.begin(turnKey('a'));
  const second = await one.begin(turnKey('b'));
  expect(await other.stop('a', 'bob')).toBe(false);
  expect(await other.stop('c', 'ann')).toBe(false);
  expect(turn?.abort.signal.aborted).toBe(false);
  expect(await other.stop('a', 'ann')).toBe(true);
  expect(turn?.abort.signal.reason).toBe(stoppedByUser);
  expect(second?.abort.signal.aborted).toBe(false);
});

test('aborts a turn that lost its lease, with another reason than a stop by the user', async () => {
  const cluster = createLocalCluster();
  const turn = await createRunningTurns(cluster).begin(turnKey('a'));
  cluster.endLease('turn a');
  expect(turn?.abort.signal.aborted).toBe(true);
  expect(turn?.abort.signal.reason).not.toBe(stoppedByUser);
});

test('stops all turns of an owner in every process', async () => {
  const [one, other] = twoNodes();
  const turns = [await one.begin(turnKey('a')), await other.begin(turnKey('b'))];
  const unaffected = await one.begin(turnKey('c', 'bob'));
  await other.stopAllOf('ann');
  expect(turns.map((turn) => turn?.abort.signal.aborted)).toEqual([true, true]);
  expect(unaffected?.abort.signal.aborted).toBe(false);
});

test('ends its own turns and starts no new ones when a process shuts down', async () => {
  const [one, other] = twoNodes();
  const turn = await one.begin(turnKey('a'));
  const unaffected = await other.begin(turnKey('b'));
  turn?.abort.signal.addEventListener('abort', () => void turn.end());
  await one.finish(0);
  expect(turn?.abort.signal.aborted).toBe(true);
  expect(unaffected?.abort.signal.aborted).toBe(false);
  await expect(one.begin(turnKey('c'))).rejects.toMatchObject({ code: 'not-ready' });
  expect(await other.begin(turnKey('a'))).toBeDefined();
});
