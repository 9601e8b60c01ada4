import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { tracesApi } from '@knowhow/shared/chat/traces';
import { inboxApi } from '@knowhow/shared/skills/inbox';
import { mySkillsApi } from '@knowhow/shared/skills/personal-skills';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { makeKey } from '../../../testing/make-key.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const permissions = { apps: ['*'], models: ['*'], skills: ['meeting-notes'] };
const group = (id: string, more: object) => ({
  [id]: { id, name: id, permissions: { ...permissions, ...more } },
});
const files = {
  'config/groups.json': {
    groups: {
      ...group('writers', { personalSkills: 'propose' }),
      ...group('private', { personalSkills: 'private' }),
      ...group('readers', {}),
      ...group('admins', { skills: ['*'], personalSkills: 'private', adminAccess: true }),
    },
  },
};
const chat = scriptedChat(files);

/** Starts the chat, and signs in an admin and two users who may have skills. */
async function start(script: Parameters<typeof chat.start>[0] = []) {
  await chat.start(script);
  const admin = await signInAdmin(chat.server);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(chat.server, admin, { username, groups })).visitor;
  return { admin, ann: await person('ann', ['writers']), ben: await person('ben', ['writers']) };
}

const invoices = {
  name: 'invoices',
  description: 'Bills clients for zeppelins.',
  instructions: 'Name the client first.',
};
const write = (visitor: Visitor, json: object = invoices) =>
  parseAnswer(mySkillsApi.create.response, visitor('/api/my/skills', { json }));
const list = (visitor: Visitor) =>
  parseAnswer(mySkillsApi.list.response, visitor('/api/my/skills'));
const read = (visitor: Visitor, name = 'invoices') =>
  parseAnswer(mySkillsApi.get.response, visitor(`/api/my/skills/${name}`));
const offered = async (visitor: Visitor, query = '') =>
  (await parseAnswer(skillsApi.list.response, visitor(`/api/skills?limit=100${query}`))).items.map(
    ({ name }) => name,
  );

test('a user writes a skill, and uses it in the chat', async () => {
  const { ann } = await start([says('Billed.')]);
  const skill = await write(ann);
  expect(skill).toMatchObject({ ...invoices, id: 'invoices@ann', files: [], diagnostics: [] });
  expect(await offered(ann)).toContain('invoices@ann');
  const { events } = await takeTurn(ann, { message: 'Bill Bob', skills: ['invoices@ann'] });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.activation', name: 'invoices@ann', via: 'slash' }),
  );
  expect(chat.model.requests[0]?.system).toContain('<name>invoices@ann</name>');
  expect(chat.sent(0)).toContain('Name the client first.');
});

test('a model activates it by the name that it was told, and by the short name', async () => {
  const { ann } = await start([
    calls(['activate_skill', { skill_name: 'invoices@ann' }]),
    says('One.'),
    calls(['activate_skill', { skill_name: 'invoices' }]),
    says('Two.'),
  ]);
  await write(ann);
  for (const message of ['Bill Bob', 'Bill Eve']) {
    const { events } = await takeTurn(ann, { message });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'skill.activation', name: 'invoices@ann', via: 'model' }),
    );
  }
});

test('it does not exist for anyone else, by any door', async () => {
  const { ann, ben, admin } = await start([says('One.'), says('Two.'), says('Three.')]);
  await write(ann);
  const { conversationId } = await takeTurn(ann, { message: 'Bill Bob', skills: ['invoices@ann'] });
  for (const other of [ben, admin]) {
    expect(await offered(other)).not.toContain('invoices@ann');
    expect(await offered(other, '&query=zeppelins')).toEqual([]);
    for (const path of [
      '/api/my/skills/invoices',
      '/api/skills/invoices@ann',
      '/api/skills/invoices@ann/content',
      '/api/library/invoices@ann',
      '/api/admin/skills/invoices@ann',
      '/api/skill-versions/invoices@ann',
    ]) {
      expect({ path, status: (await other(path)).status }).toMatchObject({
        path,
        status: expect.toSatisfy((status) => [403, 404].includes(status as number)),
      });
    }
    const { events } = await takeTurn(other, { message: 'Go', skills: ['invoices@ann'] });
    expect(events.map(({ type }) => type)).not.toContain('skill.activation');
  }
  expect(JSON.stringify(chat.model.requests.slice(1))).not.toContain('zeppelins');
  const analytics = async () => (await admin('/api/admin/analytics/skills')).text();
  expect(await analytics()).not.toContain('invoices');
  const { messages } = await chat.conversation(conversationId).catch(() => ({ messages: [] }));
  expect(messages).toEqual([]);
});

test('an administrator who reads the trace of an answer does not see it there', async () => {
  const { ann, admin } = await start([says('One.')]);
  await write(ann);
  const id = startOf(
    await takeTurn(ann, { message: 'Bill Bob', skills: ['invoices@ann'] }),
  ).messageId;
  await waitFor(async () => (await admin(`/api/messages/${id}/trace`)).status === 200);
  const trace = await (await admin(`/api/messages/${id}/trace`)).text();
  expect(trace).not.toContain('zeppelins');
  expect(trace).not.toContain('Name the client first');
});

test('a key of its owner reads it', async () => {
  const { ann, ben } = await start();
  await write(ann);
  const { program } = await makeKey(chat.server, ann, ['skills']);
  expect(await offered(program)).toContain('invoices@ann');
  expect(await (await program('/api/skills/invoices@ann/content')).text()).toContain(
    'client first',
  );
  expect((await program('/api/my/skills', { json: invoices })).status).toBe(403);
  const other = await makeKey(chat.server, ben, ['skills']);
  expect(await offered(other.program)).not.toContain('invoices@ann');
});

test('two users, and the organisation, have skills of the same name', async () => {
  const { ann, ben } = await start([says('One.'), says('Two.')]);
  const notes = { ...invoices, name: 'meeting-notes' };
  await write(ann, notes);
  await write(ben, notes);
  expect(await offered(ann)).toEqual(['meeting-notes', 'meeting-notes@ann']);
  expect(await offered(ben)).toEqual(['meeting-notes', 'meeting-notes@ben']);
  await takeTurn(ann, { message: 'Go', skills: ['meeting-notes'] });
  expect(chat.sent(0)).not.toContain('Name the client first.');
  await takeTurn(ann, { message: 'Go', skills: ['meeting-notes@ann'] });
  expect(chat.sent(1)).toContain('Name the client first.');
});

test('users whose names are spelled alike get different ids', async () => {
  const { admin, ann } = await start();
  const twin = await signInNew(chat.server, admin, {
    username: 'ann@example.com',
    groups: ['writers'],
  });
  expect((await write(ann)).id).toBe('invoices@ann');
  expect((await write(twin.visitor)).id).toBe('invoices@ann-2');
  expect(await offered(ann)).not.toContain('invoices@ann-2');
});

test('a change keeps other fields and files, and is refused if another one came first', async () => {
  const { ann } = await start();
  const first = await write(ann, {
    ...invoices,
    files: [{ path: 'references/rates.md', content: '100 an hour' }],
  });
  expect(first.files).toEqual([{ path: 'references/rates.md', size: 11 }]);
  const put = (json: object, checksum: string) =>
    ann('/api/my/skills/invoices', {
      method: 'PUT',
      json,
      headers: { 'if-match': `"${checksum}"` },
    });
  const changed = { description: 'Bills.', instructions: 'New.' };
  const second = await parseAnswer(mySkillsApi.put.response, put(changed, first.checksum));
  expect(second).toMatchObject({ ...changed, name: 'invoices', files: first.files });
  const late = await parseProblem(put(changed, first.checksum));
  expect(late.code).toBe('changed-meanwhile');
  expect(await read(ann)).toMatchObject(changed);
  const emptied = await parseAnswer(
    mySkillsApi.put.response,
    put({ ...changed, files: [] }, second.checksum),
  );
  expect(emptied.files).toEqual([]);
});

test('the requests that should use it are changed, and all else in their files stays', async () => {
  const { ann } = await start();
  const skill = await write(ann, { ...invoices, prompts: ['Bill Bob', ' Bill\nEve ', 'Bill Bob'] });
  expect(skill).toMatchObject({ prompts: ['Bill Bob', 'Bill Eve'] });
  expect(skill.files.map(({ path }) => path)).toEqual(['evals/evals.json']);
  const put = (json: object) =>
    parseAnswer(
      mySkillsApi.put.response,
      ann('/api/my/skills/invoices', {
        method: 'PUT',
        json: { ...invoices, name: undefined, ...json },
      }),
    );
  const stored = async (path: string) => {
    const text = await (await ann(`/api/skills/invoices@ann/files/${path}`)).text();
    return JSON.parse(text) as unknown;
  };
  const near = { query: 'Bill of rights', should_trigger: false };
  const named = { prompt: 'Bill Bob', id: 1 };
  const cases = {
    skill_name: 'invoices',
    evals: [{ prompt: 'Bill Eve', id: 2 }, { prompt: 'Bill Al' }],
  };
  const files = [
    { path: 'evals/evals.json', content: JSON.stringify(cases) },
    { path: 'evals/trigger-evals.json', content: JSON.stringify([near, named, 7]) },
    { path: 'evals/broken.json', content: '{' },
  ];
  expect((await put({ files })).prompts).toEqual(['Bill Eve', 'Bill Al', 'Bill Bob']);
  expect((await put({ prompts: ['Bill Al', 'Bill Bob', 'Bill Zoe'] })).prompts).toEqual([
    ...['Bill Al', 'Bill Bob', 'Bill Zoe'],
  ]);
  expect(await stored('evals/evals.json')).toEqual({ ...cases, evals: [{ prompt: 'Bill Al' }] });
  const added = { query: 'Bill Zoe', should_trigger: true };
  expect(await stored('evals/trigger-evals.json')).toEqual([near, named, 7, added]);
  expect((await put({ description: 'Bills.' })).prompts).toHaveLength(3);
  const none = await put({ prompts: [] });
  expect(none.prompts).toEqual([]);
  expect(await stored('evals/trigger-evals.json')).toEqual([near, 7]);
});

function savePrompts(ann: Visitor, prompts: string[]) {
  const { name: _, ...texts } = invoices;
  const json = { ...texts, prompts };
  return parseAnswer(
    mySkillsApi.put.response,
    ann('/api/my/skills/invoices', { method: 'PUT', json }),
  );
}

test('a file of requests that is nested too deeply stays, and others are saved next to it', async () => {
  const { ann } = await start();
  const content = `[{"query":"Bill Bob"},${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
  const files = [{ path: 'evals/evals.json', content }];
  expect(await write(ann, { ...invoices, files })).toMatchObject({ prompts: [] });
  const changed = await savePrompts(ann, ['Bill Eve']);
  expect(changed.prompts).toEqual(['Bill Eve']);
  expect(changed.files).toMatchObject([
    { path: 'evals/evals-2.json' },
    { path: 'evals/evals.json', size: content.length },
  ]);
});

test('requests are not added to lists of other things, nor to those that should not use it', async () => {
  const { ann } = await start();
  const files = [
    { path: 'evals/fixtures.json', content: '["a.pdf",7]' },
    { path: 'evals/negative-evals.json', content: '[{"query":"Bill of rights"}]' },
  ];
  await write(ann, { ...invoices, files });
  const changed = await savePrompts(ann, ['Bill Eve']);
  expect(changed.prompts).toEqual(['Bill Eve']);
  expect(changed.files).toEqual([
    expect.objectContaining({ path: 'evals/evals.json' }),
    ...files.map(({ path, content: { length: size } }) => ({ path, size })),
  ]);
});

test.each([
  ['a name with capitals', { name: 'Invoices' }, 400, 'invalid-request'],
  ['a name with an owner', { name: 'a@b' }, 400, 'invalid-request'],
  ['a reserved name', { name: 'new' }, 400, 'invalid-request'],
  ['no instructions', { instructions: ' \n' }, 400, 'invalid-request'],
  ['a description that is too long', { description: 'x'.repeat(1025) }, 400, 'invalid-skill'],
  ['too many requests', { prompts: Array(201).fill('Bill Bob') }, 400, 'invalid-request'],
  ['an empty request', { prompts: [' '] }, 400, 'invalid-request'],
  ['a path that leads out', { files: [{ path: '../x', content: '' }] }, 400, 'invalid-request'],
  [
    'a file that is not base64',
    { files: [{ path: 'a', content: '!', encoding: 'base64' }] },
    400,
    'invalid-request',
  ],
  ['a description of hidden characters', { description: '\u200b' }, 400, 'invalid-request'],
  ['a second SKILL.md', { files: [{ path: 'SKILL.md', content: '' }] }, 400, 'invalid-request'],
  [
    'a file in a file',
    {
      files: [
        { path: 'a', content: '' },
        { path: 'a/b', content: '' },
      ],
    },
    409,
    'conflict',
  ],
  [
    'too many bytes',
    { files: [{ path: 'a', content: 'x'.repeat(1024 * 1024) }] },
    413,
    'too-large',
  ],
])('%s is refused with a reason', async (_, change, status, code) => {
  const { ann } = await start();
  const answer = await ann('/api/my/skills', { json: { ...invoices, ...change } });
  const text = await answer.text();
  expect({ status: answer.status, code: JSON.parse(text).code }, text).toEqual({ status, code });
  expect((await list(ann)).items).toEqual([]);
});

test('a user has at most fifty, each name once', async () => {
  const { ann } = await start();
  for (let number = 1; number <= 50; number += 1) {
    await write(ann, { ...invoices, name: `skill-${number}` });
  }
  const more = (name: string) =>
    parseProblem(ann('/api/my/skills', { json: { ...invoices, name } }));
  expect((await more('skill-51')).code).toBe('conflict');
  expect((await more('skill-7')).code).toBe('name-taken');
  expect((await list(ann)).items).toHaveLength(50);
});

test('a group without the permission has none, and losing it hides them', async () => {
  const { admin, ann } = await start();
  const { visitor: reader } = await signInNew(chat.server, admin, {
    username: 'rob',
    groups: ['readers'],
  });
  expect(await list(reader)).toMatchObject({ items: [], level: 'none' });
  expect((await parseProblem(reader('/api/my/skills', { json: invoices }))).code).toBe('forbidden');
  await write(ann);
  const { items } = await parseAnswer(adminUsersApi.list.response, admin('/api/admin/users'));
  const user = items.find(({ username }) => username === 'ann');
  await admin(`/api/admin/users/${user?.id}`, { method: 'PUT', json: { groups: ['readers'] } });
  const { visitor: again } = await signInAgain(chat.server, 'ann');
  expect(await offered(again)).toEqual(['meeting-notes']);
});

test('scripts of a personal skill do not run, and its tools are not pre-approved', async () => {
  const { ann } = await start([says('One.')]);
  await write(ann, {
    ...invoices,
    files: [{ path: 'scripts/run.sh', content: 'echo hello' }],
  });
  await takeTurn(ann, { message: 'Go', skills: ['invoices@ann'] });
  expect(chat.model.requests[0]?.tools.map(({ name }) => name)).not.toContain('run_skill_script');
});

test('content that an administrator has blocked is not used', async () => {
  const { admin, ann } = await start();
  const json = { name: 'bad', description: 'Is bad.', body: 'Be bad.' };
  await admin('/api/admin/skills', { json });
  const bad = { name: 'bad', description: 'Is bad.', instructions: 'Be bad.' };
  const own = await write(ann, bad);
  expect(await offered(ann)).toContain(own.id);
  await admin('/api/admin/skills/bad/block', { method: 'PUT', json: { reason: 'It is bad.' } });
  expect(await offered(ann)).not.toContain(own.id);
  await ann('/api/my/skills/bad', { method: 'DELETE' });
  expect((await parseProblem(ann('/api/my/skills', { json: bad }))).code).toBe('skill-blocked');
});

test('a proposal becomes a skill of the organisation once it is approved', async () => {
  const { admin, ann } = await start();
  await write(ann);
  const propose = () =>
    ann('/api/my/skills/invoices/propose', { json: { message: 'Everyone bills.' } });
  const proposed = await parseAnswer(mySkillsApi.propose.response, propose());
  expect(proposed.proposal).toMatchObject({ state: 'open' });
  expect((await parseProblem(propose())).code).toBe('conflict');
  expect((await admin('/api/skill-drafts/invoices')).status).toBe(404);
  const { items } = await parseAnswer(skillReviewsApi.list.response, admin('/api/skill-reviews'));
  expect(items).toMatchObject([{ skill: 'invoices', author: 'ann', message: 'Everyone bills.' }]);
  const [review] = items;
  const decide = (what: string, json: object) =>
    admin(`/api/skill-reviews/${review?.id}/${what}`, { json });
  expect((await decide('approve', {})).status).toBe(200);
  expect((await list(ann)).items).toMatchObject([{ proposal: { state: 'approved' } }]);
  expect(await offered(admin)).toContain('invoices');
  expect((await admin('/api/skills/invoices/content')).status).toBe(200);
});

test('a returned proposal shows the comment, and is proposed again after a change', async () => {
  const { admin, ann } = await start();
  const { checksum } = await write(ann);
  const propose = () =>
    parseAnswer(
      mySkillsApi.propose.response,
      ann('/api/my/skills/invoices/propose', { json: { message: 'Please.' } }),
    );
  await propose();
  const openReview = async () =>
    (await parseAnswer(skillReviewsApi.list.response, admin('/api/skill-reviews'))).items[0]?.id;
  await admin(`/api/skill-reviews/${await openReview()}/return`, {
    json: { comment: 'Too short.' },
  });
  expect((await list(ann)).items).toMatchObject([
    { proposal: { state: 'returned', comment: 'Too short.' } },
  ]);
  const notices = async () =>
    (await parseAnswer(inboxApi.comments.response, ann('/api/inbox/comments'))).returned;
  expect(await notices()).toMatchObject([
    { skill: 'invoices', text: 'Too short.', path: '/my/skills/invoices' },
  ]);
  const summary = () => parseAnswer(inboxApi.summary.response, ann('/api/inbox/summary'));
  expect(await summary()).toEqual({ isShown: true, open: 1 });
  await ann('/api/my/skills/invoices', {
    method: 'PUT',
    json: { description: 'Bills clients.', instructions: 'Name the client. Then bill.' },
    headers: { 'if-match': `"${checksum}"` },
  });
  expect(await notices()).toEqual([]);
  expect(await summary()).toEqual({ isShown: false, open: 0 });
  expect((await propose()).proposal).toMatchObject({ state: 'open' });
  const withdrawn = await parseAnswer(
    mySkillsApi.withdraw.response,
    ann('/api/my/skills/invoices/withdraw', { method: 'POST' }),
  );
  expect(withdrawn.proposal).toMatchObject({ state: 'withdrawn' });
});

test('a proposal leaves the drafts of others alone, and says no more about one than about a hidden skill', async () => {
  const { admin, ann, ben } = await start();
  const archive = { method: 'PUT', body: skillFile('invoices', 'By the admin.') };
  expect((await admin('/api/skill-drafts/invoices', archive)).status).toBe(200);
  await write(ann);
  const propose = (visitor: Visitor) =>
    parseProblem(visitor('/api/my/skills/invoices/propose', { json: { message: 'Please.' } }));
  const refused = await propose(ann);
  expect(refused.code).toBe('conflict');
  const draft = await (await admin('/api/skill-drafts/invoices')).text();
  expect(draft).toContain('By the admin.');
  await admin('/api/skill-drafts/invoices', { method: 'DELETE' });
  await ann('/api/my/skills/invoices/propose', { json: { message: 'Please.' } });
  await write(ben);
  expect((await propose(ben)).detail).toBe(refused.detail);
});

test('deleting a proposed skill, or its owner, withdraws the proposal', async () => {
  const { admin, ann, ben } = await start();
  const open = async () =>
    (await parseAnswer(skillReviewsApi.list.response, admin('/api/skill-reviews'))).total;
  const propose = async (visitor: Visitor, name: string) => {
    await write(visitor, { ...invoices, name });
    await visitor(`/api/my/skills/${name}/propose`, { json: { message: 'Please.' } });
  };
  await propose(ann, 'invoices');
  await propose(ben, 'letters');
  expect(await open()).toBe(2);
  await ann('/api/my/skills/invoices', { method: 'DELETE' });
  expect(await open()).toBe(1);
  const { items } = await parseAnswer(adminUsersApi.list.response, admin('/api/admin/users'));
  const user = items.find(({ username }) => username === 'ben');
  await admin(`/api/admin/users/${user?.id}?conversations=keep`, { method: 'DELETE' });
  expect(await open()).toBe(0);
});

test('no suggestion about it reaches an inbox, and programs publish none', async () => {
  const { admin, ann } = await start([says('One.')]);
  await write(ann);
  const id = startOf(await takeTurn(ann, { message: 'Go', skills: ['invoices@ann'] })).messageId;
  const json = { skill: 'invoices@ann', comment: 'Better.', withExchange: false };
  expect((await ann(`/api/messages/${id}/suggestion`, { json })).status).toBe(404);
  expect(await (await admin('/api/inbox?state=open')).text()).not.toContain('invoices');
  const { program } = await makeKey(chat.server, ann, ['skills']);
  const published = await program('/.well-known/agent-skills/index.json');
  expect(await published.text()).not.toContain('invoices');
});

test('an administrator who asks why it was used learns as much as about an unknown one', async () => {
  const { ann, admin } = await start([says('One.')]);
  await write(ann);
  const id = startOf(
    await takeTurn(ann, { message: 'Bill Bob', skills: ['invoices@ann'] }),
  ).messageId;
  await waitFor(async () => (await admin(`/api/messages/${id}/trace`)).status === 200);
  const ask = async (name: string) =>
    (await parseAnswer(tracesApi.skill.response, admin(`/api/messages/${id}/trace/skills/${name}`)))
      .outcome;
  expect(await ask('invoices@ann')).toBe('not-visible');
  expect(await ask('nothing@ann')).toBe('not-visible');
});

test('a group that may not propose keeps its skills private', async () => {
  const { admin } = await start();
  const { visitor } = await signInNew(chat.server, admin, { username: 'pam', groups: ['private'] });
  await write(visitor);
  const answer = visitor('/api/my/skills/invoices/propose', { json: { message: 'Please.' } });
  expect((await parseProblem(answer)).code).toBe('forbidden');
});

test('deleting it ends it in conversations, and deleting its owner deletes it', async () => {
  const { admin, ann, ben } = await start([says('One.'), says('Two.')]);
  await write(ann);
  await write(ben);
  const isStored = async () => {
    const files = Object.values(unzipSync(await exportBackup(admin, '?data=true')));
    return Buffer.concat(files).includes('invoices@ben');
  };
  expect(await isStored()).toBe(true);
  const { conversationId } = await takeTurn(ann, { message: 'Go', skills: ['invoices@ann'] });
  expect((await ann('/api/my/skills/invoices', { method: 'DELETE' })).status).toBe(200);
  const { events } = await takeTurn(ann, { message: 'Again', conversationId });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.ended', name: 'invoices@ann' }),
  );
  const { items } = await parseAnswer(adminUsersApi.list.response, admin('/api/admin/users'));
  const user = items.find(({ username }) => username === 'ben');
  const path = `/api/admin/users/${user?.id}?conversations=delete`;
  expect((await admin(path, { method: 'DELETE' })).status).toBe(204);
  expect(await isStored()).toBe(false);
});

test('a backup brings it back', async () => {
  const { admin, ann } = await start();
  await write(ann);
  const backup = await exportBackup(admin, '?data=true');
  await ann('/api/my/skills/invoices', { method: 'DELETE' });
  await importBackup(admin, backup);
  const { visitor: again } = await signInAgain(chat.server, 'ann');
  expect(await read(again)).toMatchObject(invoices);
  expect(await offered(again)).toContain('invoices@ann');
});

test.runIf(onPostgres())('another node offers it at once', async () => {
  const nodes = await createNodes(files);
  const [one, two] = [await nodes.start(), await nodes.start()];
  const admin = await signInAdmin(one);
  await signInNew(one, admin, { username: 'ann', groups: ['writers'] });
  const { visitor: here } = await signInAgain(one, 'ann');
  const { visitor: there } = await signInAgain(two, 'ann');
  await write(here);
  await waitFor(async () => (await offered(there)).includes('invoices@ann'));
  await here('/api/my/skills/invoices', { method: 'DELETE' });
  await waitFor(async () => !(await offered(there)).includes('invoices@ann'));
});
