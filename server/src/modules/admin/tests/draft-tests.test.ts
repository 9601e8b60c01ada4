import {
  type DraftTestEvent,
  draftTestEventSchema,
  draftTestsApi,
} from '@knowhow/shared/skills/draft-tests';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import { expect, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';

const text = (name: string, description: string, category = 'HR') =>
  `---\nname: ${name}\ndescription: ${description}\ncategory: ${category}\n---\n\nDo it.\n`;
const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
const prompts = JSON.stringify([
  { query: 'leave: may I?', should_trigger: true },
  { query: 'leave: when?', should_trigger: true },
  { query: 'other: hello', should_trigger: false },
]);
const chat = scriptedChat({
  'config/groups.json': {
    groups: {
      ...group('admins', { apps: ['*'], models: ['*'], skills: ['*'], adminAccess: true }),
      ...group('hr', { skillRights: { author: ['HR'] } }),
      limited: {
        ...{ id: 'limited', name: 'Limited', quotas: { each: { turnsPerDay: 4 } } },
        permissions: { models: ['*'], adminAccess: ['skills'] },
      },
      few: {
        ...{ id: 'few', name: 'Few', quotas: { each: { tokensPerDay: 7000 } } },
        permissions: { models: ['*'], adminAccess: ['skills'] },
      },
      ...group('law', { models: ['*'], skillRights: { author: ['Law'] } }),
    },
  },
  'config/skills.json': {
    settings: {
      publishing: {
        checks: { triggers: 'required' },
        triggerTests: { models: ['scripted'], maxLoss: 10 },
      },
    },
  },
  'models/dear.json': {
    ...{ id: 'dear', modelId: 'x', name: 'Dear', provider: 'local' },
    prices: { input: 1000, output: 0 },
  },
  'skills/leave/SKILL.md': text('leave', 'GOOD for leave.'),
  'skills/leave/evals/trigger-evals.json': prompts,
  'skills/manual/SKILL.md': text('manual', 'By hand.\ndisable-model-invocation: true'),
  'skills/manual/evals/trigger-evals.json': prompts,
  'skills/other/SKILL.md': text('other', 'GOOD for others.', 'Law'),
});

/** Activates the skill that a prompt begins with, if its description is good. */
const choosy = ({ system, messages }: ModelRequest): Step => {
  const [name = ''] = String(messages.findLast(({ role }) => role === 'user')?.content).split(':');
  return system.includes(`GOOD for ${name}`)
    ? [
        { type: 'usage', inputTokens: 100, outputTokens: 7 },
        ...calls(['activate_skill', { skill_name: name }]),
      ]
    : says('No skill needed.');
};
const start = async (script: (request: ModelRequest) => Step = choosy) => {
  await chat.start(script);
  return signInAdmin(chat.server);
};
const base = '/api/skill-drafts/leave';
const write = (visitor: Visitor, path: string, body: string) =>
  parseAnswer(
    skillDraftsApi.writeFile.response,
    visitor(`${base}/files/${path}`, { method: 'PUT', body }),
  );
const saveDraft = (visitor: Visitor, description: string) =>
  write(visitor, 'SKILL.md', text('leave', description));
const post = (visitor: Visitor, json: object = {}, signal?: AbortSignal) =>
  visitor(`${base}/trigger-tests`, {
    json: { models: ['scripted'], ...json },
    ...(signal ? { signal } : {}),
  });
async function run(visitor: Visitor, json?: object): Promise<DraftTestEvent[]> {
  const response = await post(visitor, json);
  expect(response.status).toBe(200);
  return (await response.text())
    .split('\n\n')
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => {
      const [, type, data] = /^id: \d+\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
      return draftTestEventSchema.parse({ type, ...JSON.parse(data ?? '') });
    });
}
const plan = (visitor: Visitor) =>
  parseAnswer(draftTestsApi.plan.response, visitor(`${base}/trigger-tests`));
const check = async (visitor: Visitor) => {
  const draft = await parseAnswer(skillDraftsApi.get.response, visitor(`${base}?contents=false`));
  const found = draft.checks?.find(({ id }) => id === 'triggers');
  return { passed: found?.passed, codes: found?.findings.map(({ code }) => code) };
};

test('a draft is tested next to the published version, and a worse one cannot be published', async () => {
  const admin = await start();
  await saveDraft(admin, 'BAD for leave.');
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-untested'] });
  const events = await run(admin);
  expect(events[0]).toEqual({ type: 'start', total: 6, known: [] });
  const outcomes = (side: string) =>
    events
      .flatMap((event) =>
        event.type === 'result' && event.result.side === side ? [event.result] : [],
      )
      .sort((one, other) => one.prompt - other.prompt)
      .map(({ outcome }) => outcome);
  expect(outcomes('published')).toEqual(['hit', 'hit', 'left-alone']);
  expect(outcomes('draft')).toEqual(['miss', 'miss', 'left-alone']);
  const compared = { model: 'scripted', draft: 1, published: 3, compared: 3, onlyRanking: false };
  expect(events.at(-1)).toMatchObject({ type: 'end', run: { published: 1, models: [compared] } });
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-worse'] });
  const { id } = await parseAnswer(
    skillReviewsApi.approve.response,
    admin(`${base}/submit`, { json: { message: 'Changes it.' } }),
  );
  const refused = await parseProblem(admin(`/api/skill-reviews/${id}/approve`, { json: {} }));
  expect(refused).toMatchObject({ code: 'check-failed' });
  expect(refused.issues?.[0]?.message).toContain('33%');
});

test('a draft that is as good passes, until it or the published version changes', async () => {
  const admin = await start();
  await saveDraft(admin, 'Is GOOD for leave.');
  await run(admin);
  expect(await check(admin)).toEqual({ passed: true, codes: [] });
  expect((await plan(admin)).last).toMatchObject({ isCurrent: true, ended: 'whole' });
  await write(admin, 'notes.md', 'More.');
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-changed'] });
  expect((await plan(admin)).last).toMatchObject({ isCurrent: false });
  // With the same SKILL.md, models choose the same.
  await write(admin, 'SKILL.md', text('leave', 'GOOD for leave.'));
  expect(await check(admin)).toEqual({ passed: true, codes: [] });
});

test('results of the published version are used again, and stored as its run', async () => {
  const admin = await start();
  await saveDraft(admin, 'Is GOOD for leave.');
  expect((await plan(admin)).models).toMatchObject([
    { id: 'scripted', isWanted: true, isKnown: false },
    { id: 'dear', isWanted: false, isKnown: false },
  ]);
  await run(admin, { models: ['scripted', 'dear'] });
  const runs = await parseAnswer(
    triggerTestsApi.runs.response,
    admin('/api/admin/skills/leave/trigger-tests'),
  );
  expect(runs.items).toMatchObject([{ version: 1, by: 'Admin', ended: 'whole', total: 3 }]);
  const known = (await plan(admin)).models;
  expect(known).toMatchObject([
    { isKnown: true },
    { isKnown: true, usual: { cost: { currency: 'USD' } } },
  ]);
  const asked = chat.model.requests.length;
  const [first] = await run(admin);
  expect(first).toMatchObject({ type: 'start', total: 3 });
  expect(first?.type === 'start' && first.known).toHaveLength(3);
  expect(chat.model.requests.length).toBe(asked + 3);
  expect((await run(admin, { reuse: false }))[0]).toMatchObject({ total: 6 });
});

test('authors test drafts of their category, with models that they may use, and see no names of other skills', async () => {
  const admin = await start(() => calls(['activate_skill', { skill_name: 'other' }]));
  await saveDraft(admin, 'GOOD for leave, too.');
  const person = async (username: string, groups: string[]) =>
    (await signInNew(chat.server, admin, { username, groups })).visitor;
  const ann = await person('ann', ['hr']);
  expect((await plan(ann)).models.map(({ id }) => id)).toEqual(['scripted']);
  const events = await run(ann);
  expect(JSON.stringify(events)).not.toContain('"other"');
  expect(events[1]).toMatchObject({ result: { activated: [], hidden: 1 } });
  expect((await plan(ann)).last?.results[0]).toMatchObject({ activated: [], hidden: 1 });
  expect((await plan(admin)).last?.results[0]).toMatchObject({ activated: ['other'], hidden: 0 });
  expect(await parseProblem(post(ann, { models: ['dear'] }))).toMatchObject({
    status: 400,
    issues: [{ path: 'models.0', code: 'unknown' }],
  });
  const lou = await person('lou', ['law']);
  expect((await post(lou)).status).toBe(404);
  expect((await lou(`${base}/trigger-tests`)).status).toBe(404);
});

test('a test that is stopped is stored as such, and does not count', async () => {
  const admin = await start(() => [untilAborted]);
  await saveDraft(admin, 'GOOD for leave, too.');
  const gone = new AbortController();
  expect((await post(admin, {}, gone.signal)).status).toBe(200);
  await waitFor(() => chat.model.requests.length > 0);
  gone.abort();
  await waitFor(async () => (await plan(admin)).last?.ended === 'stopped');
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-stopped'] });
});

test('a draft of a new skill is tested alone', async () => {
  const admin = await start();
  const files = [
    { path: 'evals/trigger-evals.json', content: prompts.replaceAll('leave', 'fresh') },
  ];
  await admin('/api/skill-drafts/fresh', {
    method: 'PUT',
    json: {
      formatVersion: 2,
      skill: { slug: 'fresh', content: text('fresh', 'GOOD for fresh.'), files },
    },
  });
  const response = await admin('/api/skill-drafts/fresh/trigger-tests', {
    json: { models: ['scripted'] },
  });
  const body = await response.text();
  expect(body).toContain('"draft":3,"compared":3');
  expect(body).not.toContain('"side":"published"');
});

test.each([
  ['no draft', {}, 404],
  ['an unknown model', { models: ['none'] }, 400],
  ['no model', { models: [] }, 400],
  ['an unknown field', { app: 'chat' }, 400],
  ['a timeout of its own', { secondsPerPrompt: 1 }, 400],
])('a test of a draft is refused for %s', async (what, json, status) => {
  const admin = await start();
  if (what !== 'no draft') {
    await saveDraft(admin, 'GOOD for leave, too.');
  }
  expect(await parseProblem(post(admin, json))).toMatchObject({ status });
  expect(chat.model.requests).toHaveLength(0);
});

test('a draft without prompts says where to write them', async () => {
  const admin = await start();
  await admin(`${base}/files/evals/trigger-evals.json`, { method: 'DELETE' });
  expect((await plan(admin)).prompts).toEqual([]);
  const refused = await parseProblem(post(admin));
  expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining('evals/') });
});

test('a draft without the prompts of the published version does not pass', async () => {
  const admin = await start();
  await write(admin, 'notes.md', 'More.');
  expect(await check(admin)).toEqual({ passed: true, codes: [] });
  await admin(`${base}/files/evals/trigger-evals.json`, { method: 'DELETE' });
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-removed'] });
  await saveDraft(admin, 'BAD for leave.');
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-removed'] });
});

test('a test does not count if a model has answered too few prompts', async () => {
  const admin = await start((request) => {
    if (JSON.stringify(request.messages).includes('leave: when?')) {
      throw new Error('Too busy.');
    }
    return choosy(request);
  });
  await saveDraft(admin, 'Is GOOD for leave.');
  await run(admin);
  expect(await check(admin)).toEqual({ passed: false, codes: ['triggers-failed'] });
});

test('the history of the published version has no results for prompts that only the draft has', async () => {
  const admin = await start();
  await saveDraft(admin, 'Is GOOD for leave.');
  await write(admin, 'evals/trigger-evals.json', prompts.replace('may I', 'can I'));
  await run(admin);
  expect(await check(admin)).toEqual({ passed: true, codes: [] });
  const runs = await parseAnswer(
    triggerTestsApi.runs.response,
    admin('/api/admin/skills/leave/trigger-tests'),
  );
  expect(runs.items).toEqual([]);
});

test('a skill that only users activate needs no trigger tests', async () => {
  const admin = await start();
  const only = (words: string) => text('manual', `${words}\ndisable-model-invocation: true`);
  const file = '/files/SKILL.md';
  const put = (path: string, body: string) => admin(path, { method: 'PUT', body });
  expect((await put(`/api/skill-drafts/manual${file}`, only('Does more.'))).status).toBe(200);
  const draft = await parseAnswer(
    skillDraftsApi.get.response,
    admin('/api/skill-drafts/manual?contents=false'),
  );
  expect(draft.checks?.find(({ id }) => id === 'triggers')).toMatchObject({ passed: true });
  const tested = admin('/api/skill-drafts/manual/trigger-tests', {
    json: { models: ['scripted'] },
  });
  const { status, detail } = await parseProblem(tested);
  expect(status).toBe(409);
  expect(detail).toContain('cannot be activated by models, so there is nothing to test.');
});

test('each prompt counts against the quota of the author, which ends the test', async () => {
  const admin = await start();
  await saveDraft(admin, 'GOOD for leave and more.');
  const user = { username: 'lim', groups: ['limited'] };
  const { visitor } = await signInNew(chat.server, admin, user);
  const events = await run(visitor);
  // A prompt in progress is stopped.
  expect(events.filter(({ type }) => type === 'result').length).toBeLessThan(5);
  expect(events.at(-1)).toMatchObject({ type: 'error', code: 'quota-used-up' });
  expect(await check(admin)).toMatchObject({ passed: false });
  expect((await run(visitor)).map(({ type }) => type)).toEqual(['start', 'error']);
  expect((await run(admin)).at(-1)).toMatchObject({ type: 'end' });

  const published = visitor('/api/admin/skills/leave/trigger-tests', {
    json: { models: ['scripted'], prompts: [{ text: 'leave: may I?', expect: true }] },
  });
  expect(await (await published).text()).toContain('"code":"quota-used-up"');
});

test('with tokens for one answer at a time, the prompts of a test run one after the other', async () => {
  const admin = await start();
  await saveDraft(admin, 'GOOD for leave and more.');
  const user = { username: 'few', groups: ['few'] };
  const { visitor } = await signInNew(chat.server, admin, user);
  const events = await run(visitor);
  expect(events.at(-1)).toMatchObject({ type: 'end' });
  const outcomes = events.flatMap((event) => (event.type === 'result' ? event.result.outcome : []));
  expect([outcomes.length, outcomes.includes('failed')]).toEqual([6, false]);
});

test('the tests of a discarded draft are gone: an author of another category may take its name', async () => {
  const admin = await start();
  const fresh = '/api/skill-drafts/fresh';
  const begin = (visitor: Visitor, category: string) =>
    parseAnswer(
      skillDraftsApi.put.response,
      visitor(fresh, {
        method: 'PUT',
        json: {
          formatVersion: 2,
          skill: {
            slug: 'fresh',
            content: text('fresh', 'GOOD for fresh.', category),
            files: [
              {
                path: 'evals/trigger-evals.json',
                content: prompts.replaceAll(/leave|other/g, 'fresh'),
              },
            ],
          },
        },
      }),
    );
  const last = async (visitor: Visitor) =>
    (await parseAnswer(draftTestsApi.plan.response, visitor(`${fresh}/trigger-tests`))).last;
  const person = async (username: string, groups: string[]) =>
    (await signInNew(chat.server, admin, { username, groups })).visitor;
  const ann = await person('ann', ['hr']);
  const lou = await person('lou', ['law']);
  await begin(ann, 'HR');
  await (await ann(`${fresh}/trigger-tests`, { json: { models: ['scripted'] } })).text();
  // The skill is new: its name is shown although no right covers it yet.
  const outcome = { activated: ['fresh'], hidden: 0 };
  expect((await last(ann))?.results).toMatchObject([outcome, outcome, outcome]);
  // A review keeps the skill.
  const { id } = await parseAnswer(
    skillReviewsApi.approve.response,
    ann(`${fresh}/submit`, { json: { message: 'New.' } }),
  );
  expect((await ann(`/api/skill-reviews/${id}/withdraw`, { json: {} })).status).toBe(200);
  expect((await ann(fresh, { method: 'DELETE' })).status).toBe(200);
  await begin(lou, 'Law');
  expect(await last(lou)).toBeUndefined();
});

test('a draft with files of prompts that are hard to parse does not block others', async () => {
  const admin = await start();
  const ann = (await signInNew(chat.server, admin, { username: 'ann', groups: ['hr'] })).visitor;
  for (const at of ['1', '2', '3']) {
    await write(ann, `evals/${at}.json`, '['.repeat(1_000_000));
  }
  let read: Awaited<ReturnType<typeof plan>> | undefined;
  const pause = await measureLongestPause(async () => {
    read = await plan(ann);
  }, processorClock);
  const message = 'The file has more than 64 levels of JSON and is not read.';
  expect(read?.faults.map((fault) => fault.message)).toEqual([message, message, message]);
  expect(pause).toBeLessThan(300);
});
