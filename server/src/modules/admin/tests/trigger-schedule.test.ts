import { setTimeout as delay } from 'node:timers/promises';
import { adminApi } from '@knowhow/shared/config/admin';
import { healthApi } from '@knowhow/shared/config/health';
import { skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import { triggerScheduleApi, triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { jobOnDemand } from '../../../testing/job-on-demand.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { calls, choosingModel, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelRequest } from '../../models/model.ts';

afterEach(() => {
  vi.useRealTimers();
});

const file = 'evals/trigger-evals.json';
const evals = (...prompts: string[]) => prompts.map((query) => ({ query, should_trigger: true }));
/** Two skills with prompts, and one without. */
const skills: Files = {
  'skills/brew/SKILL.md': skillFile('brew', 'Brews coffee.'),
  [`skills/brew/${file}`]: evals('brew: one', 'brew: two', 'brew: three'),
  'skills/steep/SKILL.md': skillFile('steep', 'Steeps tea.'),
  [`skills/steep/${file}`]: evals('steep: one', 'steep: two', 'steep: three'),
  'models/other.json': { id: 'other', modelId: 'x', name: 'Other', provider: 'local' },
};
const weekly = { enabled: true, models: ['scripted'] };
const withSchedule = (triggerTests: object): Files => ({
  'config/skills.json': { settings: { triggerTests } },
});

const asked = ({ messages }: ModelRequest) =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';
/** Activates the skill that a prompt starts with. A prompt costs 100 tokens. */
const obedient = (request: ModelRequest): Step => [
  { type: 'usage', inputTokens: 90, outputTokens: 10 },
  ...calls(['activate_skill', { skill_name: asked(request).split(':')[0] }]),
];
const down: Step = [new Error('The provider is down.')];

interface Options {
  schedule?: object;
  script?: (request: ModelRequest) => Step;
  /** Whether the model `other` fails. */
  isOtherDown?: boolean;
  files?: Files;
  folder?: string;
}

async function start(options: Options = {}) {
  const { schedule = weekly, script = obedient, isOtherDown = false, files, folder } = options;
  const { cluster, run } = jobOnDemand('trigger schedule');
  const model = choosingModel(script);
  const contents = folder === undefined ? { ...skills, ...withSchedule(schedule), ...files } : {};
  const server = await startTestServer({
    ...{ cluster, files: contents },
    openModel: ({ id }) =>
      id === 'other' && isOtherDown ? choosingModel(() => down).ask : model.ask,
    ...(folder === undefined ? {} : { folder }),
  });
  onTestFinished(server.close);
  let session = await signInAdmin(server);
  const admin: Visitor = (...request) => session(...request);
  /** Advances the clock, and lets the schedule look what is due. */
  const later = async (hours: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    // The session may have expired.
    session = await signInAdmin(server);
    await run();
  };
  return { server, admin, model, run, later };
}

const days = 24;
const runsOf = async (admin: Visitor, name: string) =>
  (
    await parseAnswer(
      triggerTestsApi.runs.response,
      admin(`/api/admin/skills/${name}/trigger-tests`),
    )
  ).items;
const counts = async (admin: Visitor) => [
  (await runsOf(admin, 'brew')).length,
  (await runsOf(admin, 'steep')).length,
];
const state = (admin: Visitor) =>
  parseAnswer(triggerScheduleApi.state.response, admin('/api/admin/trigger-schedule'));
const faults = async (admin: Visitor) =>
  (await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'))).items;
const falls = async (admin: Visitor) =>
  (
    await parseAnswer(
      skillAttentionApi.list.response,
      admin('/api/skill-attention?reason=triggers'),
    )
  ).items;
const change = async (admin: Visitor, triggerTests: unknown) =>
  admin('/api/admin/settings/skills', { method: 'PUT', json: { triggerTests } });
const evalsAt = (name: string) => `/api/admin/skills/${name}/files/${file}`;
const prompts = (count: number, text = 'brew') => ({
  method: 'PUT',
  body: JSON.stringify(evals(...Array.from({ length: count }, (_, at) => `${text}: ${at}`))),
});

test('nothing is tested unless the schedule is switched on', async () => {
  const { admin, model, later } = await start({ schedule: { models: ['scripted'] } });
  await later(30 * days);
  expect(model.requests).toEqual([]);
  expect([await counts(admin), await state(admin)]).toEqual([[0, 0], {}]);
});

test('a round tests every skill that has prompts, and the next one follows a week later', async () => {
  const { admin, model, run, later } = await start();
  await run();
  expect(model.requests).toHaveLength(6);
  const [first] = await runsOf(admin, 'brew');
  expect(first).toMatchObject({
    ...{ by: 'Scheduled test', isScheduled: true, version: 1, ended: 'whole', total: 3 },
    summaries: [{ model: 'scripted', hits: 3 }],
  });
  const { round, nextAt } = await state(admin);
  expect(round).toMatchObject({ tested: 2, remaining: 0, tokens: 600, isCapped: false });
  expect(Date.parse(nextAt ?? '') - Date.parse(round?.beganAt ?? '')).toBe(7 * days * 3_600_000);
  await later(6 * days);
  expect(await counts(admin)).toEqual([1, 1]);
  const body = skillFile('brew', 'Brews better coffee.');
  await admin('/api/admin/skills/brew/files/SKILL.md', { method: 'PUT', body });
  await later(1 * days);
  expect(await counts(admin)).toEqual([2, 2]);
  expect((await runsOf(admin, 'brew'))[0]).toMatchObject({ version: 2 });
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?kind=skill'));
  expect(audit.items[0]).toMatchObject({
    ...{ userName: 'Scheduled test', action: 'triggers-tested', target: 'steep' },
    after: { models: ['scripted'], version: 1, requests: 3 },
  });
});

test('skills that are off, blocked, or not for models are left out', async () => {
  const { admin, run } = await start({
    files: {
      ...withSchedule(weekly),
      'skills/manual/SKILL.md':
        '---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\nBody.',
      [`skills/manual/${file}`]: evals('manual: one'),
    },
  });
  await admin('/api/admin/skills/brew/block', { method: 'PUT', json: { reason: 'Unsafe.' } });
  const off = { action: 'switch', names: ['steep'], enabled: false };
  expect((await admin('/api/admin/skills/bulk', { json: off })).status).toBe(200);
  await run();
  expect([await counts(admin), await runsOf(admin, 'manual')]).toEqual([[0, 0], []]);
  expect((await state(admin)).round).toMatchObject({ tested: 0, remaining: 0 });
});

test('the limit of tokens ends a round, and the remaining skills come first in the next one', async () => {
  const { admin, run, later } = await start({ schedule: { ...weekly, maxTokens: 1000 } });
  await admin(evalsAt('brew'), prompts(8));
  await run();
  const stopped = [await runsOf(admin, 'steep'), (await state(admin)).round];
  expect(stopped).toMatchObject([
    [{ ended: 'stopped', total: 3 }],
    { isCapped: true, tested: 1, remaining: 1, tokens: 1000 },
  ]);
  await run();
  expect(await counts(admin)).toEqual([1, 1]);
  await later(7 * days);
  expect((await runsOf(admin, 'steep'))[0]).toMatchObject({ ended: 'whole' });
  expect((await runsOf(admin, 'brew'))[0]).toMatchObject({ ended: 'stopped' });
  await later(7 * days);
  expect((await runsOf(admin, 'brew'))[0]).toMatchObject({ ended: 'whole' });
});

test('a skill that exceeds the limit alone does not keep the others from being tested', async () => {
  const { admin, run, later } = await start({ schedule: { ...weekly, maxTokens: 1000 } });
  await admin(evalsAt('brew'), prompts(20));
  await run();
  expect(await counts(admin)).toEqual([1, 0]);
  await later(7 * days);
  expect((await runsOf(admin, 'steep'))[0]).toMatchObject({ ended: 'whole' });
});

test('a model that does not answer is shown to administrators, and tried again', async () => {
  let isDown = true;
  const script = (request: ModelRequest) => (isDown ? down : obedient(request));
  const { admin, model, run, later } = await start({ script });
  await run();
  // Requests that are under way when the first three have failed.
  expect(model.requests.length).toBeLessThanOrEqual(4);
  expect(await counts(admin)).toEqual([0, 0]);
  expect(await faults(admin)).toMatchObject([
    {
      ...{ path: 'contents/config/skills.json', field: 'settings.triggerTests' },
      message: expect.stringMatching(/"scripted" did not answer.*2 skills were not tested.*hour/),
    },
  ]);
  expect((await state(admin)).round).toMatchObject({
    remaining: 2,
    problem: { model: 'scripted', message: expect.stringContaining('went wrong') },
  });
  isDown = false;
  await later(1);
  expect([await counts(admin), await faults(admin)]).toEqual([[1, 1], []]);
  expect((await state(admin)).round).toMatchObject({ tested: 2, remaining: 0 });
});

test('a model that never answers is tried five times, then with the next round', async () => {
  const { admin, model, later } = await start({ script: () => down });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await later(1);
  }
  expect(model.requests.length).toBeLessThanOrEqual(20);
  const [fault] = await faults(admin);
  expect(fault?.message).toContain('They come first in the next round.');
  expect((await state(admin)).round?.endedAt).toBeDefined();
  const before = model.requests.length;
  await later(7 * days);
  expect(model.requests.length).toBeGreaterThan(before);
});

test('one model that fails does not stop the tests with the other, which are not repeated', async () => {
  const { admin, later } = await start({
    schedule: { ...weekly, models: ['scripted', 'other'] },
    isOtherDown: true,
  });
  await later(1);
  const run = (await runsOf(admin, 'brew'))[0];
  expect([run?.ended, run?.summaries.map(({ model }) => model)]).toEqual(['whole', ['scripted']]);
  await later(1);
  expect(await counts(admin)).toEqual([1, 1]);
  expect((await state(admin)).round?.problem?.model).toBe('other');
});

test('a skill with which the model always fails does not hold up the others', async () => {
  const script = (request: ModelRequest) =>
    asked(request).startsWith('brew') ? down : obedient(request);
  const { admin, later } = await start({ script });
  await later(1);
  await later(1);
  expect(await counts(admin)).toEqual([0, 1]);
});

test('a prompt that is too long for the model is a result, not a failure of the model', async () => {
  const { admin, run } = await start({
    files: {
      [`skills/brew/${file}`]: evals('Long words. '.repeat(600)),
      'models/scripted.json': {
        ...{ id: 'scripted', modelId: 'x', name: 'X', provider: 'local', contextWindow: 2000 },
      },
    },
  });
  await run();
  expect((await runsOf(admin, 'brew'))[0]?.summaries).toMatchObject([{ failed: 1 }]);
  expect([await counts(admin), await faults(admin)]).toEqual([[1, 1], []]);
});

test('skills that models activate less often than in the round before need attention', async () => {
  let isLazy = false;
  const script = (request: ModelRequest) =>
    isLazy && asked(request).startsWith('brew') ? says('No skill needed.') : obedient(request);
  const { admin, run, later } = await start({
    schedule: { ...weekly, models: ['scripted'] },
    script,
  });
  await run();
  isLazy = true;
  await later(7 * days);
  const found = await falls(admin);
  expect(found).toMatchObject([
    {
      name: 'brew',
      findings: [{ reason: 'triggers', model: 'scripted', share: 0, before: 100 }, {}],
    },
  ]);
  // The first run of another model tells nothing about this one.
  await change(admin, { ...weekly, models: ['scripted', 'other'] });
  await later(1);
  expect(await counts(admin)).toEqual([3, 3]);
  expect(await falls(admin)).toEqual(found);
});

test('a new model is tested once with all skills, unless the setting says otherwise', async () => {
  const { admin, run, later } = await start();
  await run();
  await change(admin, { ...weekly, models: ['scripted', 'other'], newModels: false });
  await later(1);
  expect(await counts(admin)).toEqual([1, 1]);
  await change(admin, { ...weekly, models: ['scripted', 'other'] });
  await later(1);
  const [newest] = await runsOf(admin, 'steep');
  expect(newest?.summaries.map(({ model }) => model)).toEqual(['other']);
  expect((await state(admin)).round).toMatchObject({ kind: 'new-models', models: ['other'] });
  await later(1);
  expect(await counts(admin)).toEqual([2, 2]);
  // The weekly round is not postponed.
  await later(7 * days - 3);
  expect(await counts(admin)).toEqual([3, 3]);
});

test('a round that a stop interrupts continues after the next start, without repeating skills', async () => {
  let release = () => {};
  const reached = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hanging = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      release();
      signal.addEventListener('abort', () => reject(new Error('Stopped.')));
    });
  const script = (request: ModelRequest): Step =>
    asked(request).startsWith('steep') ? [hanging] : obedient(request);
  const { server, admin, run } = await start({ script });
  const running = run();
  await reached;
  const began = performance.now();
  expect((await admin('/api/admin/skills/brew')).status).toBe(200);
  await server.close();
  await running;
  expect(performance.now() - began).toBeLessThan(5000);
  const again = await start({ folder: server.folder });
  expect(await counts(again.admin)).toEqual([1, 0]);
  await again.later(1);
  expect(await counts(again.admin)).toEqual([1, 1]);
  expect((await state(again.admin)).round).toMatchObject({ tested: 2, remaining: 0 });
});

test('a schedule that is switched off during a round stops before the next skill', async () => {
  let switchOff: Promise<unknown> | undefined;
  const chat: { admin?: Visitor } = {};
  const script = (request: ModelRequest): Step => [
    async () => {
      switchOff ??= chat.admin && change(chat.admin, { ...weekly, enabled: false });
      await switchOff;
    },
    ...obedient(request),
  ];
  const { admin, run } = await start({ script });
  chat.admin = admin;
  await run();
  expect(await counts(admin)).toEqual([1, 0]);
});

test('a manual run says which version it tested, and that no schedule started it', async () => {
  const { admin } = await start();
  const json = { models: ['scripted'], prompts: [{ text: 'brew: one', expect: true }] };
  const answer = await admin('/api/admin/skills/brew/trigger-tests', { json });
  expect(await answer.text()).toContain('event: end');
  const [run] = await runsOf(admin, 'brew');
  expect([run?.version, run?.isScheduled, run?.by]).toEqual([1, undefined, 'Admin']);
});

test.each([
  [{ enabled: true, models: ['gone'] }, 'triggerTests.models', /"gone" does not exist/],
  [{ enabled: true }, 'triggerTests.models', /Name at least one/],
  [{ ...weekly, days: 0 }, 'triggerTests.days', /1/],
  [{ ...weekly, days: 1e12 }, 'triggerTests.days', /365/],
  [{ ...weekly, days: 'weekly' }, 'triggerTests.days', /number/],
  [{ ...weekly, maxTokens: 1e12 }, 'triggerTests.maxTokens', /1000000000/],
  [{ ...weekly, models: Array(6).fill('scripted') }, 'triggerTests.models', /5/],
])('the page refuses %j with the field', async (schedule, path, message) => {
  const { admin } = await start();
  const problem = await parseProblem(change(admin, schedule));
  expect(problem.issues).toMatchObject([{ path, message: expect.stringMatching(message) }]);
});

test('a model of the file that cannot be used is a fault, and the others are tested', async () => {
  const { admin, run } = await start({
    schedule: { ...weekly, models: ['gone', 'keyless', 'scripted'] },
    files: {
      'models/keyless.json': { id: 'keyless', modelId: 'x', name: 'K', provider: 'openai' },
    },
  });
  const field = 'settings.triggerTests.models';
  expect(await faults(admin)).toMatchObject([
    { field, message: expect.stringContaining('"gone" does not exist') },
    { field, message: expect.stringContaining('"keyless" needs') },
  ]);
  await run();
  expect((await state(admin)).round).toMatchObject({ models: ['scripted'], tested: 2 });
  // Other settings can be saved all the same.
  const models = ['gone', 'keyless', 'scripted'];
  expect((await change(admin, { ...weekly, models, days: 3 })).status).toBe(200);
});

test('a model that the file names twice is tested once', async () => {
  const { admin, run } = await start({
    schedule: { ...weekly, models: ['scripted', 'scripted'] },
  });
  expect(await faults(admin)).toEqual([]);
  await run();
  expect((await state(admin)).round).toMatchObject({ models: ['scripted'], tested: 2 });
});

test('requests are answered while a round runs', async () => {
  const script = (request: ModelRequest): Step => [() => delay(100), ...obedient(request)];
  const { admin, run } = await start({ script });
  const running = run();
  const began = performance.now();
  expect((await admin('/api/health')).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(300);
  await running;
});
