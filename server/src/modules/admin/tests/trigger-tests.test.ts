import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type TriggerEvent,
  type TriggerPrompt,
  type TriggerResult,
  triggerEventSchema,
  triggerTestsApi,
} from '@knowhow/shared/skills/trigger-tests';
import { describe, expect, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelRequest } from '../../models/model.ts';

const chat = scriptedChat({
  'models/other.json': { id: 'other', modelId: 'x', name: 'Other', provider: 'local' },
  'models/demo.json': { id: 'demo', modelId: 'demo', name: 'Demo', provider: 'demo' },
});

let admin: Visitor;
const start = async (script: Step[] | ((request: ModelRequest) => Step), files?: Files) => {
  await chat.start(script, files);
  admin = await signInAdmin(chat.server);
};

const asked = ({ messages }: ModelRequest) =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';
const activate = (name: string): Step => [
  { type: 'usage', inputTokens: 100, outputTokens: 7 },
  ...calls(['activate_skill', { skill_name: name }]),
];
/** Activates the skill that a prompt starts with. */
const obedient = (request: ModelRequest): Step => {
  const [name = ''] = asked(request).split(':');
  return /^[\w-]+:/.test(asked(request)) ? activate(name) : says('No skill needed.');
};

const base = '/api/admin/skills/meeting-notes';
const eventsIn = (body: string): TriggerEvent[] =>
  body
    .split('\n\n')
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => {
      const [, type, data] = /^id: \d+\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
      return triggerEventSchema.parse({ type, ...JSON.parse(data ?? '') });
    });
const resultsIn = (events: readonly TriggerEvent[]): TriggerResult[] =>
  events
    .flatMap((event) => (event.type === 'result' ? [event.result] : []))
    .sort((one, other) => one.prompt - other.prompt || (one.model < other.model ? -1 : 1));
const prompt = (text: string, expected = true): TriggerPrompt => ({ text, expect: expected });
const post = (json: Record<string, unknown>, signal?: AbortSignal) =>
  admin(`${base}/trigger-tests`, {
    json: { models: ['scripted'], ...json },
    ...(signal ? { signal } : {}),
  });
const run = async (json: Record<string, unknown>) => {
  const response = await post(json);
  expect(response.status).toBe(200);
  const events = eventsIn(await response.text());
  const last = events.at(-1);
  return { events, results: resultsIn(events), head: last?.type === 'end' ? last.run : undefined };
};
const runs = () => parseAnswer(triggerTestsApi.runs.response, admin(`${base}/trigger-tests`));
const refused = async (json: Record<string, unknown>) => {
  const response = await post(json);
  return { status: response.status, ...((await response.json()) as { detail: string }) };
};

describe('a trigger test run', () => {
  test('reports for each prompt which skill the model activated, and sums up', async () => {
    await start(obedient);
    const { events, results, head } = await run({
      prompts: [
        prompt('meeting-notes: sort these notes'),
        prompt('release-notes: write them'),
        prompt('meeting-notes: all the same', false),
        prompt('How are you?', false),
      ],
    });
    expect(events[0]).toEqual({ type: 'start', total: 4 });
    expect(results).toMatchObject([
      { outcome: 'hit', activated: ['meeting-notes'], via: 'model', rank: 1, inputTokens: 100 },
      { outcome: 'miss', activated: ['release-notes'], outputTokens: 7, isEstimated: false },
      { outcome: 'wrong-hit', activated: ['meeting-notes'] },
      { outcome: 'left-alone', activated: [], inputTokens: 10 },
    ]);
    expect(head).toMatchObject({
      by: 'Admin',
      ended: 'whole',
      total: 4,
      summaries: [
        {
          model: 'scripted',
          onlyRanking: false,
          ...{ wanted: 2, hits: 1, hitRate: 0.5, unwanted: 2, wrongHits: 1, wrongHitRate: 0.5 },
          ...{ failed: 0, inputTokens: 77.5 },
        },
      ],
    });
  });

  test('sends the same request as the product, once, and stores no conversation', async () => {
    await start(obedient);
    await run({ app: 'chat', prompts: [prompt('meeting-notes: sort these')] });
    const [request, ...further] = chat.model.requests;
    expect(request?.system).toMatch(/^You are helpful\.[\s\S]+<name>release-notes<\/name>/);
    expect(request?.tools.map(({ name }) => name)).toContain('activate_skill');
    expect(further).toEqual([]);
    const list = await admin('/api/conversations');
    expect(await list.json()).toMatchObject({ total: 0 });
  });

  test('detects a skill that the model searched for, beyond the listed ones', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [
      `skills/skill-${at}/SKILL.md`,
      skillFile(`skill-${at}`, `Knows the number ${at}. ${'It is long. '.repeat(60)}`),
    ]);
    await start((request) => {
      if (request.messages.length > 1) {
        return activate('meeting-notes');
      }
      return request.tools.some(({ name }) => name === 'search_skills')
        ? calls(['search_skills', { query: 'decisions' }])
        : says('Nothing to search.');
    }, Object.fromEntries(many));
    const { results } = await run({ prompts: [prompt('Turn this into decisions.')] });
    expect(results).toMatchObject([{ outcome: 'hit', searched: true, rank: 1 }]);
    expect(chat.model.requests).toHaveLength(2);
  });

  test('reports the chosen skill for a model without tools', async () => {
    const choice = JSON.stringify({ selected_skill_names: ['meeting-notes'] });
    await start([says(choice)], {
      'models/scripted.json': {
        ...{ id: 'scripted', modelId: 'x', name: 'X', provider: 'local', supportsTools: false },
      },
    });
    const { results } = await run({ prompts: [prompt('Sort these notes.')] });
    expect(results).toMatchObject([{ outcome: 'hit', via: 'router' }]);
    expect(chat.model.requests).toHaveLength(1);
  });

  test('with the demo model tests only the ranking, and says so', async () => {
    await start([says('Hello.')]);
    const { head } = await run({
      models: ['demo', 'scripted'],
      prompts: [prompt('Turns notes into decisions.')],
    });
    expect(head?.summaries).toMatchObject([
      { model: 'demo', onlyRanking: true },
      { model: 'scripted', onlyRanking: false, hits: 0 },
    ]);
  });

  test('tests an unsaved description, in the catalogue and in the ranking', async () => {
    await start((request) =>
      says(/Waters the plants/.test(request.system) ? 'Reworded.' : 'As it was.'),
    );
    const description = 'Waters the plants on the balcony.';
    const [before, reworded] = [
      await run({ prompts: [prompt('plants on the balcony')] }),
      await run({ prompts: [prompt('plants on the balcony')], description }),
    ];
    expect(before.results[0]?.rank).toBeUndefined();
    expect(reworded.results[0]?.rank).toBe(1);
    expect(reworded.head).toMatchObject({ description });
    expect(chat.model.requests.map(({ system }) => system.includes(description))).toEqual([
      false,
      true,
    ]);
    const skill = await admin(base);
    expect(await skill.json()).toMatchObject({ description: 'Turns notes into decisions.' });
  });

  test('tests a disabled skill as if it were enabled', async () => {
    await start(obedient, {
      'config/skills.json': { skills: { 'meeting-notes': { enabled: false } } },
    });
    const { results } = await run({ prompts: [prompt('meeting-notes: sort')] });
    expect(results).toMatchObject([{ outcome: 'hit' }]);
  });
});

describe('reports failures as results', () => {
  test('a model that fails, one that does not respond, and a prompt that is too long for it', async () => {
    await start(
      (request) => {
        if (asked(request) === 'Break') {
          return [new Error('The provider is down.')];
        }
        return asked(request) === 'Hang' ? [untilAborted] : says('Fine.');
      },
      {
        'models/scripted.json': {
          ...{ id: 'scripted', modelId: 'x', name: 'X', provider: 'local', contextWindow: 2000 },
        },
      },
    );
    const { results, head } = await run({
      prompts: ['Break', 'Hang', 'Long words. '.repeat(600), 'Fine'].map((text) => prompt(text)),
      secondsPerPrompt: 1,
    });
    expect(results).toMatchObject([
      { outcome: 'failed', error: { code: 'internal' } },
      { outcome: 'failed', error: { message: 'The model has not answered within 1 seconds.' } },
      { outcome: 'failed', error: { code: 'too-large' } },
      { outcome: 'miss', activated: [] },
    ]);
    expect(head?.summaries[0]).toMatchObject({ failed: 3, wanted: 1, hitRate: 0 });
  });

  test('a skill that is deleted during the run', async () => {
    let removal: Promise<Response> | undefined;
    const remove = async () => {
      removal ??= admin(base, { method: 'DELETE' });
      await removal;
    };
    await start([[remove, ...says('Too late.')]]);
    const prompts = ['One', 'Two', 'Three', 'Four', 'Five'].map((text) => prompt(text));
    const { results } = await run({ prompts });
    expect(results.at(-1)).toMatchObject({
      outcome: 'failed',
      error: { message: 'Skill "meeting-notes" is no longer there.' },
    });
  });

  test('a model that keeps talking is cut off early, to save cost', async () => {
    const [text] = says('word '.repeat(100));
    await start([[...Array.from({ length: 100 }, () => text as NonNullable<typeof text>)]]);
    const { results, head } = await run({ prompts: [prompt('Tell me all.', false)] });
    expect(results).toMatchObject([{ outcome: 'left-alone', isEstimated: true }]);
    expect(head?.summaries).toMatchObject([{ isEstimated: true }]);
    expect(results[0]?.outputTokens).toBeLessThan(800);
  });
});

describe('runs', () => {
  test('are stored, newest first, twenty per skill, also stopped ones', async () => {
    await start((request) => (asked(request) === 'Hang' ? [untilAborted] : says('No.')));
    for (let number = 0; number < 20; number += 1) {
      await run({ prompts: [prompt(`Run ${number}`)] });
    }
    const stop = new AbortController();
    const response = await post({ prompts: [prompt('One'), prompt('Hang')] }, stop.signal);
    const reader = response.body?.getReader();
    let heard = '';
    while (!heard.includes('event: result')) {
      heard += new TextDecoder().decode((await reader?.read())?.value);
    }
    stop.abort();
    await waitFor(async () => (await runs()).items[0]?.ended === 'stopped');
    const { items, total } = await runs();
    expect(total).toBe(20);
    expect(items[0]).toMatchObject({ ended: 'stopped', total: 2 });
    const path = `${base}/trigger-tests/${items[0]?.id}`;
    const kept = await parseAnswer(triggerTestsApi.get.response, admin(path));
    expect(kept).toMatchObject({
      prompts: [prompt('One'), prompt('Hang')],
      results: [{ prompt: 0, outcome: 'miss' }],
    });
    const oldest = await admin(`${base}/trigger-tests/${items.at(-1)?.id}`);
    expect(await oldest.json()).toMatchObject({ prompts: [prompt('Run 1')] });
    const audit = await admin('/api/admin/audit?kind=skill&limit=1');
    expect(await audit.json()).toMatchObject({
      items: [{ action: 'triggers-tested', after: { ended: 'stopped', requests: 1 } }],
    });
  });

  test('end when the user who started one is signed out', async () => {
    await start([[untilAborted]]);
    const response = await post({ prompts: [prompt('Hang')] });
    await admin('/api/auth/logout', { json: {} });
    await expect(response.text()).rejects.toThrow();
    admin = await signInAdmin(chat.server);
    await waitFor(async () => (await runs()).items[0]?.ended === 'stopped');
  });

  test('are limited to two at once per admin', async () => {
    await start([[untilAborted]]);
    const stop = new AbortController();
    const both = await Promise.all([1, 2].map(() => post({ prompts: [prompt('A')] }, stop.signal)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await refused({ prompts: [prompt('A')] })).toMatchObject({ status: 429 });
    stop.abort();
  });

  test('do not start if nothing can be tested', async () => {
    await start([says('No.')], {
      'skills/manual/SKILL.md':
        '---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\nBody.',
      'apps/empty.json': { id: 'empty', name: 'Empty', skills: [] },
      'apps/notes.json': {
        ...{ id: 'notes', name: 'Notes', skills: ['*'] },
        skillSettings: { autoInject: ['meeting-notes'] },
      },
      'apps/all.json': {
        ...{ id: 'all', name: 'All', skills: ['*'], skillSettings: { autoActivate: true } },
      },
      'models/plain.json': {
        ...{ id: 'plain', modelId: 'x', name: 'X', provider: 'local', supportsTools: false },
      },
    });
    const prompts = [prompt('A')];
    const unknown = await refused({ prompts, models: ['nope'] });
    expect(unknown).toMatchObject({ status: 400, issues: [{ path: 'models.0' }] });
    expect(await refused({ prompts, app: 'nope' })).toMatchObject({ status: 404 });
    expect(await refused({ prompts, app: 'empty' })).toMatchObject({
      status: 409,
      detail:
        'Skill "meeting-notes" cannot be offered in app \'empty\'. Choose another app, or none.',
    });
    const always = await refused({ prompts, app: 'notes' });
    expect(always).toMatchObject({ status: 409, detail: expect.stringContaining('always uses') });
    expect(await refused({ prompts, app: 'all', models: ['plain'] })).toMatchObject({
      status: 409,
    });
    const manual = await admin('/api/admin/skills/manual/trigger-tests', {
      json: { prompts, models: ['scripted'] },
    });
    expect(manual.status).toBe(409);
    const gone = await admin('/api/admin/skills/gone/trigger-tests', {
      json: { prompts, models: ['scripted'] },
    });
    expect(gone.status).toBe(404);
    const many = Array.from({ length: 10_000 }, () => prompt('A'));
    expect(await refused({ prompts: many })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('A skill has at most 200 prompts.'),
    });
    expect(await refused({ prompts: [prompt('x'.repeat(8001))] })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('A prompt has at most 8000 characters.'),
    });
    expect(await refused({ prompts: [] })).toMatchObject({ status: 400 });
    expect(chat.model.requests).toEqual([]);
  });
});

describe("a skill's prompts", () => {
  const prompts = (init?: Parameters<Visitor>[1]) =>
    parseAnswer(triggerTestsApi.prompts.response, admin(`${base}/trigger-prompts`, init));

  test('are found in its evals, in each common format', async () => {
    await start([says('No.')], {
      'skills/meeting-notes/evals/evals.json': {
        skill_name: 'meeting-notes',
        evals: [{ id: 1, prompt: 'Sort my notes', expectations: ['x'] }],
      },
      'skills/meeting-notes/evals/negative.json': [{ query: 'Bake a cake' }],
      'skills/meeting-notes/evals/broken.json': '[{"query": ',
      'skills/meeting-notes/evals/huge.json': Array.from({ length: 300 }, (_, at) => ({
        query: at === 0 ? 'x'.repeat(9000) : `Prompt ${at}`,
        should_trigger: true,
      })),
    });
    const { checksum, found, ...others } = await prompts();
    expect(found).toHaveLength(200);
    expect(found).toEqual(expect.arrayContaining([prompt('Sort my notes'), prompt('Prompt 1')]));
    expect(others).toEqual({
      path: 'evals/trigger-evals.json',
      isSaved: false,
      prompts: [],
      faults: expect.arrayContaining([
        { path: 'evals/broken.json', message: 'The file cannot be read as JSON.' },
        { path: 'evals/huge.json', message: expect.stringContaining('1 prompt with more than') },
      ]),
    });
  });

  test('do not block others, whatever an archive contains', async () => {
    const many = Array(500_000).fill(1);
    const folder = 'skills/meeting-notes';
    await start([says('No.')], {
      [`${folder}/trigger${'_a'.repeat(80)}.md`]: 'For an expression that goes back and forth.',
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`${folder}/evals/${at}.json`, many]),
      ),
      [`${folder}/evals/deep.json`]: '['.repeat(500_000) + ']'.repeat(500_000),
      [`${folder}/evals/same.json`]: Array(30_000).fill({ prompt: 'The same' }),
      [`${folder}/evals/proto.json`]:
        '{"__proto__": {"evals": [{"prompt": "No"}]}, "evals": [{"prompt": {"a": 1}}, {"query": "Yes"}]}',
    });
    let read: Awaited<ReturnType<typeof prompts>> | undefined;
    const pause = await measureLongestPause(async () => {
      read = await prompts();
    }, processorClock);
    expect(read?.found).toEqual([prompt('Yes'), prompt('The same')]);
    expect(pause).toBeLessThan(1000);
  });

  test("are saved into the folder with optimistic locking, keeping the author's other fields", async () => {
    const path = 'skills/meeting-notes/evals/trigger-eval.json';
    await start([says('No.')], {
      [path]: [
        { query: 'Sort my notes', should_trigger: true, why: 'It is its task.' },
        { query: 'Bake a cake', should_trigger: false },
      ],
    });
    const seen = await prompts();
    expect(seen).toMatchObject({
      path: 'evals/trigger-eval.json',
      isSaved: true,
      prompts: [prompt('Sort my notes'), prompt('Bake a cake', false)],
    });
    const json = { prompts: [prompt('Sort my notes'), prompt(' Who said what? ')] };
    const headers = { 'if-match': `"${seen.checksum}"` };
    const saved = await prompts({ method: 'PUT', json, headers });
    expect(saved).toMatchObject({
      isSaved: true,
      prompts: [prompt('Sort my notes'), prompt('Who said what?')],
    });
    const text = await readFile(join(chat.server.folder, 'contents', path), 'utf8');
    expect(JSON.parse(text)).toEqual([
      { query: 'Sort my notes', should_trigger: true, why: 'It is its task.' },
      { query: 'Who said what?', should_trigger: true },
    ]);
    const late = await admin(`${base}/trigger-prompts`, { method: 'PUT', json, headers });
    expect(late.status).toBe(412);
    const versions = await admin('/api/skill-versions/meeting-notes');
    expect(await versions.json()).toMatchObject({
      items: [{ action: 'file-written', summary: 'evals/trigger-eval.json' }, { action: 'found' }],
    });
  });

  test('are not saved over a file that cannot be read', async () => {
    const path = 'evals/trigger-evals.json';
    const many = JSON.stringify(Array(70_000).fill({ query: 'a' }));
    await start([says('No.')], { [`skills/meeting-notes/${path}`]: many });
    const json = { prompts: [prompt('Sort my notes')] };
    const kept = await parseProblem(admin(`${base}/trigger-prompts`, { method: 'PUT', json }));
    expect(kept).toMatchObject({ code: 'conflict', detail: expect.stringContaining(path) });
    const stored = join(chat.server.folder, 'contents/skills/meeting-notes', path);
    expect(await readFile(stored, 'utf8')).toBe(many);
  });
});
