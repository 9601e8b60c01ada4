import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { bundledScript } from '../../../testing/bundled-script.ts';
import { openGate } from '../../../testing/open-gate.ts';
import { readPorts, runChild } from '../../../testing/run-child.ts';
import { runPostgres } from '../../../testing/run-postgres.ts';
import { calls, says, scriptedModel, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { createNodes, type Nodes } from '../../../testing/start-nodes.ts';
import { adminPassword, createVisitor, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

const lastAnswer = async (visitor: Visitor, id: string) =>
  (await readConversation(visitor, id)).messages.at(-1);

const statusOf = async (visitor: Visitor, id: string) => {
  const last = await lastAnswer(visitor, id);
  return last?.role === 'assistant' ? last.status : undefined;
};

const stop = async (visitor: Visitor, id: string) => {
  const answer = await visitor(`/api/apps/chat/chat/${id}/stop`, { method: 'POST' });
  return ((await answer.json()) as { stopped: boolean }).stopped;
};

test('a turn of one node blocks turns on other nodes, can be read there, and can be stopped from there', async () => {
  const nodes = await createNodes();
  const first = { type: 'text' as const, text: 'Half of it.' };
  const model = scriptedModel([first, untilAborted]);
  const here = await signInAdmin(await nodes.start({ model: model.ask }));
  const there = await signInAdmin(await nodes.start());
  const conversationId = randomUUID();
  const turn = takeTurn(here, { conversationId, message: 'Tell me' });
  await waitFor(() => model.requests.length === 1);
  const refused = await takeTurn(there, { conversationId, message: 'And me' });
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([409, 'turn-running']);
  await waitFor(async () => (await lastAnswer(there, conversationId))?.content === 'Half of it.');
  expect(await lastAnswer(there, conversationId)).toMatchObject({ status: 'running' });
  expect((await there(`/api/conversations/${conversationId}/turn`)).status).toBe(204);
  expect(await stop(there, conversationId)).toBe(true);
  expect((await turn).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
  expect(await lastAnswer(there, conversationId)).toMatchObject({ status: 'stopped' });
  const next = await takeTurn(there, { conversationId, message: 'Go on' });
  expect(next.events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
});

/** Starts a node in a separate process, with a model that streams for minutes. */
async function startProcess({ environment }: Nodes) {
  const folder = await temporaryFolder();
  const child = runChild(await bundledScript('crashing-server'), {
    args: [folder],
    env: { ...environment, ADMIN_PASSWORD: adminPassword, WORDS: '20000' },
  });
  await child.says('loaded');
  child.process.stdin?.write('start\n');
  await child.says('ports ');
  const [port] = await readPorts(child);
  const admin = createVisitor(`http://127.0.0.1:${port}`);
  await admin('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
  return { child, admin };
}

test('a node survives the kill of another: it has its writes and can continue its conversation', async () => {
  const nodes = await createNodes();
  const [dying, staying] = [await startProcess(nodes), await startProcess(nodes)];
  const path = '/api/admin/skills/meeting-notes/files/SKILL.md';
  const body = skillFile('meeting-notes', 'Told by the one that dies.');
  expect((await dying.admin(path, { method: 'PUT', body })).status).toBe(200);
  const seen = async () => (await staying.admin('/api/admin/skills/meeting-notes')).text();
  const written = performance.now();
  await waitFor(async () => (await seen()).includes('Told by the one that dies.'));
  expect(performance.now() - written).toBeLessThan(2000);
  const conversationId = randomUUID();
  const turn = takeTurn(dying.admin, { conversationId, message: 'Talk' }).catch(() => undefined);
  const answer = () => lastAnswer(staying.admin, conversationId);
  const hasStarted = async () => (await staying.admin(`/api/conversations/${conversationId}`)).ok;
  await waitFor(hasStarted);
  await waitFor(async () => ((await answer())?.content.length ?? 0) > 100);
  const refused = await takeTurn(staying.admin, { conversationId, message: 'Me too' });
  expect(refused.status).toBe(409);
  dying.child.process.kill('SIGKILL');
  await turn;
  expect(await answer()).toMatchObject({ status: 'running' });
  const status = () => statusOf(staying.admin, conversationId);
  await expect.poll(status, { timeout: 15_000 }).toBe('interrupted');
  expect((await answer())?.content.length).toBeGreaterThan(100);
  const nextTurn = takeTurn(staying.admin, { conversationId, message: 'Go on' });
  await waitFor(async () => stop(staying.admin, conversationId));
  expect((await nextTurn).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
}, 60_000);

test('a node that hangs loses its turn to another one, and overwrites nothing when it resumes', async () => {
  const nodes = await createNodes();
  const hanging = await startProcess(nodes);
  const other = await signInAdmin(await nodes.start());
  const conversationId = randomUUID();
  const turn = takeTurn(hanging.admin, { conversationId, message: 'Talk' });
  await waitFor(async () => (await other(`/api/conversations/${conversationId}`)).ok);
  await waitFor(async () => ((await lastAnswer(other, conversationId))?.content.length ?? 0) > 100);
  hanging.child.process.kill('SIGSTOP');
  const tryTurn = async () => (await takeTurn(other, { conversationId, message: 'Go on' })).status;
  await expect.poll(tryTurn, { timeout: 15_000, interval: 500 }).toBe(200);
  const before = await readConversation(other, conversationId);
  expect(before.messages.map(({ role, content }) => [role, content.length > 0])).toEqual([
    ['user', true],
    ['assistant', true],
    ['user', true],
    ['assistant', true],
  ]);
  hanging.child.process.kill('SIGCONT');
  expect((await turn).events.at(-1)).toEqual({ type: 'done', finishReason: 'interrupted' });
  expect(await readConversation(other, conversationId)).toEqual(before);
  expect(before.messages[1]).toMatchObject({ status: 'interrupted' });
}, 60_000);

test('a turn that was taken over by another node stores nothing more: no skill, no tool, no text', async () => {
  const nodes = await createNodes();
  const gate = openGate();
  const activates = calls(['activate_skill', { skill_name: 'meeting-notes' }]);
  const model = scriptedModel([() => gate.passed, ...activates], says('Too late.'));
  const here = await signInAdmin(await nodes.start({ model: model.ask }));
  const there = await signInAdmin(await nodes.start({ model: scriptedModel(says('Here.')).ask }));
  const conversationId = randomUUID();
  const turn = takeTurn(here, { conversationId, message: 'Tell me' });
  await waitFor(() => model.requests.length === 1);
  await query(nodes, 'update leases set until = 0');
  expect((await takeTurn(there, { conversationId, message: 'Go on' })).text).toBe('Here.');
  gate.open();
  expect((await turn).events.at(-1)).not.toMatchObject({ finishReason: 'stop' });
  expect(model.requests).toHaveLength(1);
  const { messages, activeSkills } = await readConversation(there, conversationId);
  expect(messages.map(({ content }) => content)).toEqual(['Tell me', '', 'Go on', 'Here.']);
  expect(messages[1]).toMatchObject({ status: 'interrupted' });
  expect(activeSkills).toEqual([]);
});

test.skipIf(!existsSync('/usr/lib/postgresql'))(
  'clients that disconnect and reload while PostgreSQL is down neither crash a node nor leak leases',
  async () => {
    const postgres = await runPostgres();
    onTestFinished(postgres.stop);
    const nodes = await createNodes({}, postgres.url);
    const { child, admin } = await startProcess(nodes);
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const asking = await Promise.all(
      ids.map((id) => openReader(admin, `/api/apps/chat/chat/${id}`, { message: 'Talk' })),
    );
    const follow = (id: string) => openReader(admin, `/api/conversations/${id}/turn`);
    const following = await Promise.all(ids.slice(0, 2).map(follow));
    await postgres.halt();
    // One client only follows, one has a second tab, one sends alone, one reloads.
    for (const reader of [asking[1], asking[2], asking[3], ...following]) {
      reader?.abort();
    }
    await waitFor(async () => (await admin('/api/ready')).status === 503);
    expect((await admin(`/api/conversations/${ids[3]}/turn`)).status).toBe(503);
    await postgres.goOn();
    await waitFor(async () => (await admin('/api/ready')).status === 200);
    for (const id of ids) {
      await waitFor(() => stop(admin, id));
    }
    await waitFor(async () => (await query(nodes, 'select name from leases')).rowCount === 0);
    expect(child.process.exitCode).toBeNull();
    for (const id of ids) {
      const next = openReader(admin, `/api/apps/chat/chat/${id}`, { message: 'Go on' });
      (await next).abort();
    }
  },
  60_000,
);

/** Opens an event stream and reads its start; aborting closes the connection. */
async function openReader(
  visitor: Visitor,
  path: string,
  json?: { message: string },
): Promise<AbortController> {
  const reader = new AbortController();
  const { signal } = reader;
  const response = await visitor(path, { signal, ...(json ? { json } : {}) });
  expect(response.status).toBe(200);
  await response.body?.getReader().read();
  return reader;
}

async function query({ databaseUrl }: Nodes, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
