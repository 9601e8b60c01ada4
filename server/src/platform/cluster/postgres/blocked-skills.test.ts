import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openGate } from '../../../testing/open-gate.ts';
import { calls, choosingModel, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** A user may have a hundred. */
const runningTurns = 99;

test('a skill that is blocked on one node leaves ninety-nine running turns of three at their next request', async () => {
  const nodes = await createNodes();
  const gate = openGate();
  const readFile = calls([
    'read_skill_resource',
    { skill_name: 'meeting-notes', file_path: 'references/format.md' },
  ]);
  const model = choosingModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? says('Done.') : [() => gate.passed, ...readFile],
  );
  const servers = [];
  for (let node = 0; node < 3; node += 1) {
    servers.push(await nodes.start({ model: model.ask }));
  }
  const admins = await Promise.all(servers.map(signInAdmin));
  const turns = admins.flatMap((visitor) =>
    Array.from({ length: runningTurns / admins.length }, () => takeTurnOnceReady(visitor)),
  );

  // Three nodes share this process, and other tests share the machine: this limit only ends what hangs.
  await expect.poll(() => model.requests.length, { timeout: 120_000 }).toBe(runningTurns);

  const json = { reason: 'It leaks names.', tellUsers: true };
  const blocked = await admins[0]?.('/api/admin/skills/meeting-notes/block', {
    method: 'PUT',
    json,
  });
  expect(blocked?.status).toBe(200);
  const started = performance.now();
  for (const visitor of admins) {
    await waitFor(async () => (await visitor('/api/skills/meeting-notes')).status === 404);
  }
  const seenAfter = Math.round(performance.now() - started);
  process.stdout.write(`The block was seen by three nodes after ${seenAfter} ms\n`);
  gate.open();

  const ended = { type: 'skill.ended', name: 'meeting-notes', reason: 'blocked' };
  for (const { events } of await Promise.all(turns)) {
    expect(events).toContainEqual({ ...ended, note: json.reason });
    expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
  }
  const later = JSON.stringify(model.requests.slice(runningTurns));
  expect(model.requests).toHaveLength(2 * runningTurns);
  expect(later).not.toContain('Do the first thing');
  expect(later).not.toContain('One decision a line');
}, 300_000);

/** A busy node refuses a turn with a time (503, or 429 near the limit of turns); clients send it again then. */
async function takeTurnOnceReady(visitor: Visitor): Promise<TakenTurn> {
  const taken = await takeTurn(visitor, { message: 'Go', skills: ['meeting-notes'] });
  if (taken.status !== 503 && taken.status !== 429) {
    return taken;
  }
  await setTimeout(1000);
  return takeTurnOnceReady(visitor);
}
