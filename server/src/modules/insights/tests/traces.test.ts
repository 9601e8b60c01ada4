import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { tracesApi } from '@knowhow/shared/chat/traces';
import { problem } from '@knowhow/shared/problem';
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { readTrace } from '../../../testing/read-trace.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

const model = (config: Record<string, unknown> = {}) => ({
  'models/scripted.json': {
    id: 'scripted',
    modelId: 'x',
    name: 'X',
    provider: 'local',
    default: true,
    ...config,
  },
});
const chat = scriptedChat();

const activate: Step = [
  ...calls(['activate_skill', { skill_name: 'meeting-notes' }]),
  { type: 'usage', inputTokens: 100, cachedTokens: 40, outputTokens: 7 },
];
const read = calls([
  'read_skill_resource',
  { skill_name: 'meeting-notes', file_path: 'references/format.md' },
]);
const traceOf = async (turn: Parameters<typeof readTrace>[1]) =>
  readTrace(await signInAdmin(chat.server), turn);

describe('the trace of an answer', () => {
  test("shows what each request added, what was offered, and each call's result", async () => {
    await chat.start([activate, read, says('Done.')]);
    const turn = await takeTurn(chat.visitor, { message: 'Sort my notes' });
    const trace = await traceOf(turn);
    expect(trace).toMatchObject({ app: 'chat', model: 'scripted', status: 'complete' });
    expect(trace.conversationId).toBe(turn.conversationId);
    expect(trace.rounds).toHaveLength(3);
    const [first, second, third] = trace.rounds;
    expect(first?.system.map(({ kind }) => kind)).toEqual(['app', 'catalogue', 'skills']);
    expect(first?.system[0]?.text).toBe('You are helpful.');
    expect(first?.system.map(({ text }) => text).join('\n\n')).toBe(chat.model.requests[0]?.system);
    expect(first?.catalogue).toMatchObject({
      mode: 'all',
      offered: ['meeting-notes', 'release-notes'],
      shortened: [],
      leftOut: [],
    });
    expect(first?.tools.map(({ name }) => name)).toEqual(['activate_skill', 'read_skill_resource']);
    expect(first).toMatchObject({
      purpose: 'answer',
      earlier: 0,
      added: [{ role: 'user', content: 'Sort my notes' }],
      activeSkills: [],
      usage: { inputTokens: 100, cachedTokens: 40, outputTokens: 7 },
      stop: 'tool-calls',
      calls: [{ name: 'activate_skill', input: { skill_name: 'meeting-notes' }, error: false }],
    });
    expect(first?.calls[0]?.bytes).toBeGreaterThan(50);
    expect(second).toMatchObject({
      earlier: 1,
      activeSkills: ['meeting-notes'],
      added: [
        { role: 'assistant', toolCalls: [{ name: 'activate_skill' }] },
        {
          role: 'tool',
          name: 'activate_skill',
          content: expect.stringContaining('<skill_content name="meeting-notes">'),
        },
      ],
      calls: [{ name: 'read_skill_resource', bytes: Buffer.byteLength('One decision a line.\n') }],
    });
    expect(third).toMatchObject({
      earlier: 3,
      added: [
        { role: 'assistant' },
        { role: 'tool', content: expect.stringContaining('One decision a line.') },
      ],
      stop: 'stop',
      calls: [],
    });
    expect(trace.usage).toEqual({ inputTokens: 110, cachedTokens: 40, outputTokens: 12 });
  });

  test('of a later turn contains only what is new', async () => {
    await chat.start([says('Hello.')]);
    const { conversationId } = await takeTurn(chat.visitor, { message: 'First' });
    const turn = await takeTurn(chat.visitor, { message: 'Second', conversationId });
    expect((await traceOf(turn)).rounds).toMatchObject([
      { earlier: 2, added: [{ role: 'user', content: 'Second' }] },
    ]);
  });

  test('sums up the cost if the model has prices', async () => {
    const prices = { input: 10, cachedInput: 1, output: 20, currency: 'EUR' };
    await chat.start([activate, says('Done.')], model({ prices }));
    const { rounds, usage } = await traceOf(await takeTurn(chat.visitor, { message: 'A' }));
    const first = (60 * 10 + 40 * 1 + 7 * 20) / 1_000_000;
    const second = (10 * 10 + 5 * 20) / 1_000_000;
    expect(rounds[0]?.usage).toMatchObject({ cost: expect.closeTo(first, 9), currency: 'EUR' });
    expect(usage).toMatchObject({ cost: expect.closeTo(first + second, 9), currency: 'EUR' });
  });

  test('shows no cost without prices', async () => {
    await chat.start([activate, says('Done.')]);
    const { usage } = await traceOf(await takeTurn(chat.visitor, { message: 'A' }));
    expect(usage).not.toHaveProperty('cost');
  });

  test('shows the routing request, and its response', async () => {
    const choice = '{"selected_skill_names": ["meeting-notes"], "reasoning": "Fits."}';
    await chat.start(
      ({ system }) => says(system.startsWith('You choose') ? choice : 'Done.'),
      model({ supportsTools: false }),
    );
    const { rounds } = await traceOf(await takeTurn(chat.visitor, { message: 'Sort' }));
    expect(rounds).toMatchObject([
      {
        purpose: 'router',
        system: [{ kind: 'instruction', text: expect.stringContaining('You choose') }],
        catalogue: { mode: 'router', offered: ['meeting-notes', 'release-notes'] },
        tools: [],
        added: [{ role: 'user', content: expect.stringContaining('<message>\nSort') }],
        text: choice,
      },
      { purpose: 'answer', activeSkills: ['meeting-notes'], tools: [] },
    ]);
  });

  test('shows the request for a summary, and what replaces older messages', async () => {
    const isSummary = ({ system }: { system: string }) => system.startsWith('Below is the begin');
    await chat.start(
      (request) => says(isSummary(request) ? 'SUMMARY: all good.' : 'Yes. '.repeat(200)),
      model({ contextWindow: 2000, maxOutputTokens: 250 }),
    );
    const conversationId = randomUUID();
    let turn = await takeTurn(chat.visitor, { message: 'Begin', conversationId });
    for (let at = 0; at < 20 && !chat.model.requests.some(isSummary); at += 1) {
      turn = await takeTurn(chat.visitor, { message: 'And then? '.repeat(20), conversationId });
    }
    const { rounds } = await traceOf(turn);
    const added = rounds[1]?.added.map(({ content }) => content).join('\n');
    expect(added).toMatch(/SUMMARY: all good\.[\s\S]+And then\?/);
    expect(rounds).toMatchObject([
      { purpose: 'summary', text: 'SUMMARY: all good.', catalogue: { mode: 'none' } },
      {
        purpose: 'answer',
        notices: ['summarised'],
      },
    ]);
  });

  test('of a failed turn shows its problem, and no internals', async () => {
    await chat.start([[new Error('secret at /home/x')]]);
    const failed = await traceOf(await takeTurn(chat.visitor, { message: 'A' }));
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'internal' },
      rounds: [{ error: { code: 'internal' } }],
    });
    expect(JSON.stringify(failed)).not.toContain('secret');
    const limited = problem('model-rate-limited', 'Busy.', { reason: '429: quota of sk-123' });
    chat.server.close();
    await chat.start([[limited]]);
    const trace = await traceOf(await takeTurn(chat.visitor, { message: 'A' }));
    expect(trace).toMatchObject({
      status: 'failed',
      error: { code: 'model-rate-limited' },
      rounds: [{ error: { code: 'model-rate-limited' } }],
    });
    expect(JSON.stringify(trace)).not.toContain('quota');
  });

  test('of a running or stopped turn shows the requests so far', async () => {
    await chat.start([activate, [{ type: 'text', text: 'Half' }, untilAborted]]);
    const conversationId = randomUUID();
    await chat.visitor('/api/auth/me');
    const turn = takeTurn(chat.visitor, { message: 'A', conversationId });
    await waitFor(() => chat.model.requests.length === 2);
    const admin = await signInAdmin(chat.server);
    const [, answer] = (await chat.conversation(conversationId)).messages;
    const now = () =>
      parseAnswer(tracesApi.get.response, admin(`/api/messages/${answer?.id}/trace`));
    expect(await now()).toMatchObject({ status: 'running', rounds: [{ calls: [{}] }, {}] });
    await chat.visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    expect(await readTrace(admin, await turn)).toMatchObject({
      status: 'stopped',
      finishReason: 'aborted',
      rounds: [{}, { error: { code: 'aborted' } }],
    });
  });
});

test.skipIf(onPostgres())(
  'requests before a crash are there after the next start',
  {
    timeout: 30_000,
  },
  async () => {
    await chat.start([activate, [{ type: 'text', text: 'Half' }, untilAborted]]);
    const conversationId = randomUUID();
    await chat.visitor('/api/auth/me');
    const turn = takeTurn(chat.visitor, { message: 'A', conversationId });
    await waitFor(() => chat.model.requests.length === 2);
    const { folder } = chat.server;
    const [, answer] = (await chat.conversation(conversationId)).messages;
    // As a crash leaves it, once the turn has run long enough for its trace to be stored.
    const crashed = await waitForCopy(folder, async (copy) => {
      const server = await startTestServer({ folder: copy });
      const admin = await signInAdmin(server);
      const response = await admin(`/api/messages/${answer?.id}/trace`);
      const trace = response.ok ? await parseAnswer(tracesApi.get.response, response) : undefined;
      await server.close();
      return trace;
    });
    expect(crashed).toMatchObject({
      status: 'interrupted',
      rounds: [{ calls: [{ name: 'activate_skill' }] }, { added: [{}, {}] }],
    });
    await chat.visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    await turn;
  },
);

/** Copies a server's data folder until something is found in it. */
async function waitForCopy<Found>(
  folder: string,
  find: (copy: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let found: Found | undefined;
  await waitFor(async () => {
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true, filter: (path) => !path.includes('.lock') });
    found = await find(copy);
    return found !== undefined;
  });
  return found;
}
