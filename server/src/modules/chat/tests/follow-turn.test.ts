import { randomUUID } from 'node:crypto';
import { setImmediate as nextPass } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openGate } from '../../../testing/open-gate.ts';
import { rightsFiles, signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { joinChunks, readTurn, type TurnStream } from '../../../testing/turn-stream.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const chat = scriptedChat();

const say = (...texts: string[]): Step =>
  texts.flatMap((text) => [{ type: 'text', text }, () => nextPass()]);
const stop = { type: 'stop', reason: 'stop' } as const;
const pathOf = (id: string) => `/api/conversations/${id}/turn`;
const last = (stream: TurnStream) => stream.events().at(-1)?.event;

async function begin(visitor: Visitor = chat.visitor): Promise<[id: string, first: TurnStream]> {
  await visitor('/api/auth/me');
  const id = randomUUID();
  const json = { message: 'Go' };
  return [id, await readTurn(visitor, `/api/apps/chat/chat/${id}`, { json })];
}

const answerOf = async (id: string) => (await chat.conversation(id)).messages[1];
const stopTurn = (id: string) => chat.visitor(`/api/apps/chat/chat/${id}/stop`, { method: 'POST' });

describe('a turn whose client disconnects', () => {
  test('continues to its end, and is stored completely', async () => {
    const gate = openGate();
    await chat.start([[...say('One ', 'two '), () => gate.passed, ...say('three.'), stop]]);
    const [id, first] = await begin();
    await first.says('two');
    first.leave();
    await first.ended;
    gate.open();
    await waitFor(async () => (await answerOf(id))?.role === 'assistant');
    await waitFor(async () => statusOf(await answerOf(id)) === 'complete');
    expect(await answerOf(id)).toMatchObject({ content: 'One two three.', finishReason: 'stop' });
  });

  test('can be resumed from the last event: nothing is missing or duplicated', async () => {
    const gate = openGate();
    const activation = calls(['activate_skill', { skill_name: 'meeting-notes' }]);
    const held = [...say('Well, ', 'no'), () => gate.passed, ...say('te ', 'this.'), stop];
    await chat.start([activation, held]);
    const [id, first] = await begin();
    await first.says('Well, no');
    const before = first.events();
    const path = pathOf(id);
    const follow = before.map(({ number }) => readTurn(chat.visitor, `${path}?after=${number}`));
    const streams = await Promise.all(follow);
    const header = { 'last-event-id': String(before[2]?.number) };
    const byHeader = await readTurn(chat.visitor, path, { headers: header });
    gate.open();
    expect(await first.ended).toBe('whole');
    const all = first.events();
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
    for (const [index, stream] of [...streams, byHeader].entries()) {
      expect(await stream.ended).toBe('whole');
      const known = before[index]?.number ?? before[2]?.number ?? 0;
      expect(joined(stream.events())).toEqual(joined(all.slice(known)));
    }
  });

  test('can be followed from its beginning by any number of clients, live', async () => {
    const gate = openGate();
    await chat.start([[...say('Half'), () => gate.passed, ...say(' whole.'), stop]]);
    const [id, first] = await begin();
    await first.says('Half');
    const others = await Promise.all([1, 2, 3].map(() => readTurn(chat.visitor, pathOf(id))));
    await Promise.all(others.map((other) => other.says('Half')));
    expect(last(others[0] as TurnStream)).toMatchObject({ type: 'chunk' });
    gate.open();
    for (const other of [...others, first]) {
      expect(await other.ended).toBe('whole');
      expect(other.text()).toBe('Half whole.');
      expect(last(other)).toEqual({ type: 'done', finishReason: 'stop' });
    }
  });

  test('can be stopped from anywhere, for all followers', async () => {
    await chat.start([[...say('Half'), untilAborted]]);
    const [id, first] = await begin();
    await first.says('Half');
    const second = await readTurn(chat.visitor, pathOf(id));
    first.leave();
    expect(await (await stopTurn(id)).json()).toEqual({ stopped: true });
    await second.ended;
    expect(last(second)).toEqual({ type: 'done', finishReason: 'aborted' });
    expect(statusOf(await answerOf(id))).toBe('stopped');
  });

  test('ends with its conversation', async () => {
    await chat.start([[...say('Half'), untilAborted]]);
    const [id, first] = await begin();
    first.leave();
    const second = await readTurn(chat.visitor, pathOf(id));
    expect((await chat.visitor(`/api/conversations/${id}`, { method: 'DELETE' })).status).toBe(204);
    await second.ended;
    expect(last(second)).toEqual({ type: 'done', finishReason: 'aborted' });
    expect((await chat.visitor(pathOf(id))).status).toBe(404);
  });

  test('is marked as interrupted when the server stops', async () => {
    await chat.start([[...say('Half'), untilAborted]]);
    const [, first] = await begin();
    await first.says('Half');
    first.leave();
    await chat.server.close();
    expect(await first.ended).toBe('broken');
    const { openTestDatabase } = await import('../../../testing/open-test-database.ts');
    const database = await openTestDatabase(`${chat.server.folder}/data`);
    const rows = await database.selectFrom('messages').select(['content', 'status']).execute();
    await database.destroy();
    expect(rows).toContainEqual({ content: 'Half', status: 'interrupted' });
  });

  test('counts as running until it ends', async () => {
    const limits = { requests: 0, turns: 0, streams: 1 };
    await chat.start([[...say('Half'), untilAborted]], {
      'config/platform.json': { rateLimit: limits },
    });
    const [id, first] = await begin();
    first.leave();
    expect((await takeTurn(chat.visitor, { message: 'Another' })).status).toBe(429);
    await stopTurn(id);
    await waitFor(async () => {
      const [next, stream] = await begin().catch(() => []);
      await (next && stopTurn(next));
      return stream;
    });
  });
});

describe('a client that requests a turn', () => {
  test('that has just ended gets the missing events; with all of them, or without a turn, nothing', async () => {
    await chat.start([says('One.')]);
    const [id, first] = await begin();
    await first.ended;
    const all = first.events();
    const rest = await readTurn(chat.visitor, `${pathOf(id)}?after=${all.length - 1}`);
    expect(await rest.ended).toBe('whole');
    expect(rest.events()).toEqual(all.slice(-1));
    const statusAt = async (query: string) => (await chat.visitor(pathOf(id) + query)).status;
    expect(await statusAt(`?after=${all.length}`)).toBe(204);
    expect(await statusAt(`?answer=${randomUUID()}`)).toBe(204);
    const answer = (await answerOf(id))?.id;
    expect(await statusAt(`?answer=${answer}`)).toBe(200);
    expect(await statusAt('?after=-1')).toBe(400);
  });

  test("of another user's conversation gets the same as for a missing one", async () => {
    await chat.start([[...say('Half'), untilAborted]]);
    const [id] = await begin();
    const stranger = chat.server.visitor();
    const answers = await Promise.all([id, randomUUID()].map((one) => stranger(pathOf(one))));
    const [theirs, none] = await Promise.all(answers.map((answer) => answer.json()));
    expect(theirs).toMatchObject({ status: 404, code: 'not-found' });
    expect(theirs).toEqual(none);
    await stopTurn(id);
  });

  test('can follow at most as many at once as turns may run', async () => {
    const limits = { requests: 0, turns: 0, streams: 2 };
    await chat.start([[...say('Half'), untilAborted]], {
      'config/platform.json': { rateLimit: limits },
    });
    const [id] = await begin();
    const [one] = await Promise.all([1, 2].map(() => readTurn(chat.visitor, pathOf(id))));
    const refused = await chat.visitor(pathOf(id));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'too-many-requests' });
    one?.leave();
    await waitFor(() => readTurn(chat.visitor, pathOf(id)).catch(() => false));
    await stopTurn(id);
  });

  test('is disconnected when their session ends, and the turn continues', async () => {
    const gate = openGate();
    await chat.start([[...say('Half'), () => gate.passed, ...say(' whole.'), stop]], rightsFiles);
    const admin = await signInAdmin(chat.server);
    const { visitor } = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
    const { visitor: elsewhere } = await signInAgain(chat.server, 'ann');
    const [id, first] = await begin(visitor);
    const there = await readTurn(elsewhere, pathOf(id));
    await there.says('Half');
    await elsewhere('/api/auth/logout', { method: 'POST' });
    expect(await there.ended).toBe('broken');
    gate.open();
    expect(await first.ended).toBe('whole');
    expect(first.text()).toBe('Half whole.');
  });

  test('gets headers that prevent buffering by proxies', async () => {
    await chat.start([says('One.')]);
    const [id, first] = await begin();
    await first.ended;
    const answer = await chat.visitor(pathOf(id), { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('cache-control')).toContain('no-transform');
    await answer.text();
  });
});

describe('a turn that nobody stops', () => {
  const limited = (turns: Record<string, number>) => ({
    'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, turns },
  });

  test('times out when the model has sent nothing for too long', async () => {
    await chat.start([[...say('Half'), untilAborted]], limited({ idleMinutes: 0.005 }));
    const [id, first] = await begin();
    await first.ended;
    expect(last(first)).toMatchObject({ type: 'error', code: 'model-interrupted' });
    expect(await answerOf(id)).toMatchObject({ content: 'Half', status: 'failed' });
  });

  test('times out when no client has followed it for the configured time', async () => {
    await chat.start([[...say('Half'), untilAborted]], limited({ unreadMinutes: 0.005 }));
    const [id, first] = await begin();
    await first.says('Half');
    const second = await readTurn(chat.visitor, pathOf(id));
    first.leave();
    // Stored after a second: long enough without a follower, had the other client left too.
    await waitFor(async () => (await answerOf(id))?.content === 'Half');
    expect(statusOf(await answerOf(id))).toBe('running');
    second.leave();
    await waitFor(async () => statusOf(await answerOf(id)) === 'failed');
    expect(await answerOf(id)).toMatchObject({ error: { code: 'turn-unread' } });
  });
});

/** Text from several events joined into one, as on a replay. */
function joined(events: ReturnType<TurnStream['events']>): unknown[] {
  const others = events.filter(({ event }) => event.type !== 'chunk');
  return [joinChunks(events), ...others];
}

function statusOf(message: Awaited<ReturnType<typeof answerOf>>): string | undefined {
  return message?.role === 'assistant' ? message.status : undefined;
}
