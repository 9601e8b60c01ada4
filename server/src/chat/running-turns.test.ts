import { expect, test } from 'vitest';
import { createLocalCluster } from '../cluster/local-cluster.ts';
import { createRunningTurns, stoppedByUser } from './running-turns.ts';

const turnOf = (conversationId: string, owner = 'ann') => ({
  conversationId,
  owner,
  appId: 'chat',
});

/** Two processes that share what they share. */
function twoNodes() {
  const cluster = createLocalCluster();
  return [createRunningTurns(cluster), createRunningTurns(cluster)] as const;
}

test('a conversation has one turn, whichever process is asked, until that has ended', async () => {
  const [one, other] = twoNodes();
  const turn = await one.begin(turnOf('a'));
  expect(await other.begin(turnOf('a', 'bob'))).toBeUndefined();
  expect(await other.find('a')).toMatchObject({ owner: 'ann', appId: 'chat' });
  expect(await other.find('b')).toBeUndefined();
  await turn?.end();
  expect(await other.find('a')).toBeUndefined();
  expect(await other.begin(turnOf('a', 'bob'))).toBeDefined();
});

test('a turn is stopped by its owner alone, from another process too, and nobody else’s with it', async () => {
  const [one, other] = twoNodes();
  const turn = await one.begin(turnOf('a'));
  const second = await one.begin(turnOf('b'));
  expect(await other.stop('a', 'bob')).toBe(false);
  expect(await other.stop('c', 'ann')).toBe(false);
  expect(turn?.abort.signal.aborted).toBe(false);
  expect(await other.stop('a', 'ann')).toBe(true);
  expect(turn?.abort.signal.reason).toBe(stoppedByUser);
  expect(second?.abort.signal.aborted).toBe(false);
});

test('a turn whose lease is lost is stopped, though not by its user', async () => {
  const cluster = createLocalCluster();
  const turn = await createRunningTurns(cluster).begin(turnOf('a'));
  cluster.endLease('turn a');
  expect(turn?.abort.signal.aborted).toBe(true);
  expect(turn?.abort.signal.reason).not.toBe(stoppedByUser);
});

test('all turns of an owner are stopped in every process', async () => {
  const [one, other] = twoNodes();
  const turns = [await one.begin(turnOf('a')), await other.begin(turnOf('b'))];
  const stays = await one.begin(turnOf('c', 'bob'));
  await other.stopAllOf('ann');
  expect(turns.map((turn) => turn?.abort.signal.aborted)).toEqual([true, true]);
  expect(stays?.abort.signal.aborted).toBe(false);
});

test('a process that stops ends its own turns, and begins none', async () => {
  const [one, other] = twoNodes();
  const turn = await one.begin(turnOf('a'));
  const stays = await other.begin(turnOf('b'));
  turn?.abort.signal.addEventListener('abort', () => void turn.end());
  await one.finish(0);
  expect(turn?.abort.signal.aborted).toBe(true);
  expect(stays?.abort.signal.aborted).toBe(false);
  await expect(one.begin(turnOf('c'))).rejects.toMatchObject({ code: 'not-ready' });
  expect(await other.begin(turnOf('a'))).toBeDefined();
});
