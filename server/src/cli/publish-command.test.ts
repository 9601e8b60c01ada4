import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../testing/listen-on.ts';
import { makeKey } from '../testing/make-key.ts';
import { parseAnswer, parseProblem } from '../testing/parse-answer.ts';
import { signInNew } from '../testing/rights-chat.ts';
import { runCommand } from '../testing/run-command.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { startTestServer, type Visitor } from '../testing/start-test-server.ts';
import { temporaryFolder } from '../testing/write-files.ts';

const text = (name: string, steps = 'Write it down.', category = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${category}---\n\n${steps}\n`;
const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });

/** An installation, and a folder of the author that is synced with it. */
async function start(publishing: object = { mode: 'direct' }) {
  const server = await startTestServer({
    files: {
      'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
      'config/skills.json': { settings: { publishing } },
      'config/groups.json': {
        groups: {
          ...group('admins', { apps: ['*'], skills: ['*'], adminAccess: true }),
          ...group('hr', { apps: ['*'], skills: ['*'], skillRights: { author: ['HR'] } }),
          ...group('staff', { apps: ['*'], skills: ['*'] }),
        },
      },
      'skills/notes/SKILL.md': text('notes'),
      'skills/notes/run.sh': '#!/bin/sh\necho hello\n',
      'skills/leave/SKILL.md': text('leave', 'Ask first.', 'category: HR\n'),
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const { key, program } = await makeKey(server, admin, ['skills', 'authoring']);
  const folder = join(await temporaryFolder(), 'skills');
  const run = (args: string[], used: string | undefined = key) =>
    runCommand(args, { key: () => used });
  const sync = (used?: string) => run(['sync', folder, '--from', server.url], used);
  const publish = (name: string, more: string[] = [], used?: string) =>
    run(
      ['publish', join(folder, name), '--to', server.url, '--message', 'Is better.', ...more],
      used,
    );
  expect(await sync()).toMatchObject({ code: 0, error: '' });
  const write = (path: string, content: string) => writeFile(join(folder, path), content);
  return { server, admin, program, key, folder, sync, publish, write, run };
}

const newest = async (visitor: Visitor, name: string) => {
  const path = `/api/skill-versions/${name}`;
  const { items } = await parseAnswer(skillVersionsApi.list.response, visitor(path));
  return items[0];
};
const published = async (visitor: Visitor, name: string) =>
  (await visitor(`/api/admin/skills/${name}/files/SKILL.md`)).text();

test('a folder is published as a version, again and again, and sync finds nothing to change', async () => {
  const { admin, publish, write, sync } = await start();
  const [first, second] = [text('notes', 'Write less.'), text('notes', 'Write more.')];
  await write('notes/SKILL.md', first);
  expect(await publish('notes')).toEqual({
    ...{ code: 0, error: '' },
    out: 'Published "notes" as version 2.',
  });
  expect(await published(admin, 'notes')).toBe(first);
  expect(await newest(admin, 'notes')).toMatchObject({ number: 2, message: 'Is better.' });
  await write('notes/SKILL.md', second);
  expect((await publish('notes')).out).toBe('Published "notes" as version 3.');
  expect(await published(admin, 'notes')).toBe(second);
  expect((await sync()).out).toBe('4 skills: 0 added, 0 updated, 0 removed, 0 kept, 0 failed.');
});

test('a new skill is published from a folder that was never synced', async () => {
  const { server, admin, run } = await start();
  const folder = join(await temporaryFolder(), 'minutes');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), text('minutes'));
  const made = await run(['publish', folder, '--message', 'New.', '--to', server.url]);
  expect(made).toEqual({ code: 0, error: '', out: 'Published "minutes" as version 1.' });
  expect(await published(admin, 'minutes')).toBe(text('minutes'));
  const again = await run(['publish', folder, '--message', 'New.', '--to', server.url]);
  expect(again).toMatchObject({ code: 2, out: '' });
  expect(again.error).toContain('has a skill "minutes" already. Get it with knowhow sync');
});

test('where reviews are required, the folder is submitted, and the key cannot approve it', async () => {
  const { server, admin, program, publish, write, sync } = await start({ mode: 'review' });
  await write('notes/SKILL.md', text('notes', 'Write less.'));
  const sent = await publish('notes');
  expect(sent).toMatchObject({ code: 0, error: '' });
  expect(sent.out).toContain(`Submitted "notes" for review: ${server.url}/admin/reviews/`);
  expect(await published(admin, 'notes')).toBe(text('notes'));

  const synced = await sync();
  expect(synced).toMatchObject({ code: 0, error: '' });
  expect(synced.out).toMatch(
    /kept {2}notes {2}It was submitted for review: http.*\/admin\/reviews\//,
  );
  await write('notes/SKILL.md', text('notes', 'Write least.'));
  const edited = await sync();
  expect(edited.code).toBe(1);
  expect(edited.out).toContain('It was edited here.');

  const id = sent.out.split('/').at(-1);
  const approve = `/api/skill-reviews/${id}/approve`;
  expect(await parseProblem(program(approve, { json: {} }))).toMatchObject({
    status: 403,
    detail: expect.stringContaining('only where no review is required. Sign in.'),
  });
  const approved = await parseAnswer(
    skillReviewsApi.approve.response,
    admin(approve, { json: {} }),
  );
  expect(approved.decided?.version).toBe(2);
});

test('sync says that a review was returned or withdrawn, and what to do', async () => {
  const { server, admin, publish, write, sync } = await start({ mode: 'review' });
  await write('notes/SKILL.md', text('notes', 'Write less.'));
  const decide = async ({ out }: { out: string }, decision: string, json: object) =>
    expect(
      (await admin(`/api/skill-reviews/${out.split('/').at(-1)}/${decision}`, { json })).status,
    ).toBe(200);
  await decide(await publish('notes'), 'return', { comment: 'Say\nwhy.' });
  const returned = await sync();
  expect(returned).toMatchObject({ code: 1, error: '' });
  expect(returned.out).toMatch(
    /kept {2}notes {2}Admin returned it: "Say why\."\. Publish it again with --replace, or move .*\/admin\/reviews\//,
  );

  await decide(await publish('notes', ['--replace']), 'withdraw', {});
  const withdrawn = await sync();
  expect(withdrawn.code).toBe(1);
  expect(withdrawn.out).toContain(
    'Its review was withdrawn. Publish it again with --replace, or move',
  );
  await publish('notes', ['--replace']);
  expect((await sync()).out).toContain('It was submitted for review: http');

  // Another person fixes the draft, and submits it again.
  await decide(await publish('notes', ['--replace']), 'return', { comment: 'Why?' });
  const draft = '/api/skill-drafts/notes';
  expect((await admin(`${draft}/submit`, { json: { message: 'Because.' } })).status).toBe(201);
  const again = await sync();
  expect(again.code).toBe(0);
  expect(again.out).toContain('Its draft was submitted again by Admin');

  const { key } = await makeKey(server, admin, ['skills']);
  const blind = await sync(key);
  expect(blind.code).toBe(0);
  expect(blind.out).toContain('A key with the scope Authoring shows the decision: http');
});

test('a draft is overwritten only on request, which also withdraws its review', async () => {
  const { admin, publish, write } = await start({ mode: 'review' });
  await write('notes/SKILL.md', text('notes', 'Write less.'));
  const first = await publish('notes');
  await write('notes/SKILL.md', text('notes', 'Write more.'));
  const refused = await publish('notes');
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.error).toMatch(/Skill "notes" has a draft by Admin, saved on .* --replace/);
  const second = await publish('notes', ['--replace']);
  expect(second.out).toMatch(/^Submitted "notes" for review/);
  const state = async ({ out }: { out: string }) => {
    const path = `/api/skill-reviews/${out.split('/').at(-1)}`;
    return (await parseAnswer(skillReviewsApi.get.response, admin(path))).review.state;
  };
  expect([await state(first), await state(second)]).toEqual(['withdrawn', 'open']);
  const draft = await admin('/api/skill-drafts/notes/files/SKILL.md');
  expect(await draft.text()).toBe(text('notes', 'Write more.'));
});

test('a version that was published since the last sync is not overwritten', async () => {
  const { admin, publish, write } = await start();
  const theirs = text('notes', 'Of a colleague.');
  await admin('/api/admin/skills/notes/files/SKILL.md', { method: 'PUT', body: theirs });
  await write('notes/SKILL.md', text('notes', 'Mine.'));
  for (const more of [[], ['--replace']]) {
    const result = await publish('notes', more);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.error).toContain('Skill "notes" was changed on');
  }
  expect(await published(admin, 'notes')).toBe(theirs);
});

test('authors of a category publish its skills through a review, and no others', async () => {
  const { server, admin, sync, publish, write } = await start();
  const { visitor } = await signInNew(server, admin, { username: 'ann', groups: ['hr'] });
  const { key, program } = await makeKey(server, visitor, ['skills', 'authoring']);
  await sync(key);
  await write('leave/SKILL.md', text('leave', 'Ask later.', 'category: HR\n'));
  expect((await publish('leave', [], key)).out).toMatch(/^Submitted "leave" for review/);
  await write('notes/SKILL.md', text('notes', 'Mine.'));
  const refused = await publish('notes', [], key);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.error).toContain('There is no skill "notes"');
  expect((await program('/api/skill-drafts/notes')).status).toBe(404);
});

test('a skill that fails a required check is submitted, and the command says why', async () => {
  const { admin, publish, write } = await start({
    mode: 'direct',
    checks: { secrets: 'required' },
  });
  const secret = `AKIA${'ABCDEFGHIJKLMNOP'}`;
  await write('notes/SKILL.md', text('notes', `Use the key ${secret}.`));
  const result = await publish('notes');
  expect(result).toMatchObject({ code: 1, out: '' });
  expect(result.error).toMatch(/^"notes" is submitted, but not published\. .*\/admin\/reviews\//);
  expect(await published(admin, 'notes')).toBe(text('notes'));
});

test('a lock file of someone else does not decide which host gets the key', async () => {
  const { write, run, folder } = await start();
  const source = 'http://127.0.0.1:1/.well-known/agent-skills/index.json';
  await write('skills-lock.json', JSON.stringify({ source, withKey: true, skills: {} }));
  const result = await run(['publish', join(folder, 'notes'), '--message', 'x']);
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.error).toContain('Say where to: knowhow publish NAME --to');
});

test('control characters in an answer do not reach the terminal', async () => {
  const hostile = createServer((request, response) => {
    const isIndex = request.url?.includes('.well-known');
    response.writeHead(isIndex ? 200 : 400, { 'content-type': 'application/json' });
    const problem = {
      type: 'x',
      title: 'x',
      status: 400,
      code: 'conflict',
      detail: '\u001b[2J\nDone.',
    };
    response.end(JSON.stringify(isIndex ? { $schema: 'x', skills: [] } : problem));
  });
  const port = await listenOn(hostile);
  onTestFinished(() => void hostile.close());
  const folder = join(await temporaryFolder(), 'notes');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), text('notes'));
  const to = `http://127.0.0.1:${port}`;
  const key = `kh_${'a'.repeat(43)}`;
  const result = await runCommand(['publish', folder, '--message', 'x', '--to', to], {
    key: () => key,
  });
  expect(result.code).toBe(2);
  expect(result.error).toContain('[2J Done.');
  expect(result.error).not.toContain('\u001b');
});

test('publish refuses to run without a key or a message', async () => {
  const without = await runCommand(['publish', 'notes', '--message', 'x'], {});
  expect(without).toMatchObject({ code: 2, out: '' });
  expect(without.error).toContain('Set KNOWHOW_KEY to an API key');
  const silent = await runCommand(['publish', 'notes'], { key: () => `kh_${'a'.repeat(43)}` });
  expect(silent.error).toContain('Say what has changed');
});

test.each([
  ['a malformed key', [], 'short', /KNOWHOW_KEY is not an API key/],
  ['a folder without a skill', ['none'], undefined, /is not the folder of a skill/],
  ['an address that is none', ['notes', '--to', 'ftp://x'], undefined, /Say where to/],
  ['another installation', ['notes', '--to', 'https://other.test'], undefined, /is synced with/],
])('publish refuses %s', async (_, [name = 'notes', ...more], used, message) => {
  const { publish, admin } = await start();
  const result = await publish(name, more, used);
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.error).toMatch(message);
  expect((await newest(admin, 'notes'))?.number).toBe(1);
});

test('a key without the scope, and of a user without rights, changes nothing', async () => {
  const { server, admin, publish, write } = await start();
  await write('notes/SKILL.md', text('notes', 'Mine.'));
  const { key: reader } = await makeKey(server, admin, ['skills']);
  expect((await publish('notes', [], reader)).error).toContain('lacks the scope "authoring"');
  const { visitor } = await signInNew(server, admin, { username: 'bo', groups: ['staff'] });
  const { key: user } = await makeKey(server, visitor, ['skills', 'authoring']);
  expect((await publish('notes', [], user)).error).toContain('This is for administrators');
  expect(await published(admin, 'notes')).toBe(text('notes'));
});

test('a key does not publish what another person has submitted', async () => {
  const { server, admin, program } = await start();
  const { visitor } = await signInNew(server, admin, { username: 'ann', groups: ['hr'] });
  await visitor('/api/skill-drafts/leave/files/SKILL.md', {
    method: 'PUT',
    body: text('leave', 'Ask later.', 'category: HR\n'),
  });
  const { id } = await parseAnswer(
    skillDraftsApi.submit.response,
    visitor('/api/skill-drafts/leave/submit', { json: { message: 'Later.' } }),
  );
  const approve = `/api/skill-reviews/${id}/approve`;
  expect(await parseProblem(program(approve, { json: {} }))).toMatchObject({ status: 403 });
  const withdraw = program(`/api/skill-reviews/${id}/withdraw`, { json: {} });
  expect(await parseProblem(withdraw)).toMatchObject({ status: 403 });
  expect((await admin(approve, { json: {} })).status).toBe(200);
});

test('a key with the scope opens drafts and reviews of the command, and no other admin address', async () => {
  const { program } = await start();
  const closed = [
    ...['/api/admin/skills', '/api/admin/users', '/api/skill-drafts', '/api/skill-reviews'],
    ...['/api/skill-versions/notes', '/api/admin/backup', '/api/admin/settings/platform'],
  ];
  const statuses = await Promise.all(closed.map(async (path) => (await program(path)).status));
  expect(statuses).toEqual(closed.map(() => 403));
  const block = { method: 'PUT', json: { reason: 'Mine.' } };
  expect((await program('/api/admin/skills/notes/block', block)).status).toBe(403);
  expect(await parseProblem(program('/api/skill-drafts/notes'))).toMatchObject({ status: 404 });
});

test('publish keeps executable bits', async () => {
  const { admin, folder, publish } = await start({ mode: 'review' });
  await chmod(join(folder, 'notes/run.sh'), 0o755);
  expect((await publish('notes')).code).toBe(0);
  const path = '/api/skill-drafts/notes?contents=false';
  const { files } = await parseAnswer(skillDraftsApi.get.response, admin(path));
  expect(files.map(({ path: at, executable }) => [at, executable])).toEqual([
    ['SKILL.md', false],
    ['run.sh', true],
  ]);
});

test('a service key, which acts for no person, cannot have the scope', async () => {
  const { admin } = await start();
  const json = { name: 'CI', scopes: ['authoring'], groups: ['hr'] };
  expect(await parseProblem(admin('/api/admin/keys', { json }))).toMatchObject({ status: 400 });
});

test('names what it leaves out: version control, packages, and files of variables', async () => {
  const { admin, folder, publish, write } = await start();
  for (const name of ['.git', 'node_modules/left-pad']) {
    await mkdir(join(folder, 'notes', name), { recursive: true });
    await write(`notes/${name}/config`, 'x');
  }
  await write('notes/.DS_Store', 'x');
  await write('notes/.env', 'TOKEN=1');
  await write('notes/.env.local', 'TOKEN=2');
  await write('notes/.env.example', 'TOKEN=');
  await write('notes/SKILL.md', text('notes', 'Write less.'));
  const sent = await publish('notes');
  expect(sent).toMatchObject({ code: 0, out: 'Published "notes" as version 2.' });
  expect(sent.error.split('\n').sort()).toEqual([
    'Left out .DS_Store: left behind by a system or an editor.',
    'Left out .env.local: may contain passwords or keys.',
    'Left out .env: may contain passwords or keys.',
    'Left out .git/: version control, packages or a cache.',
    'Left out node_modules/: version control, packages or a cache.',
  ]);
  const files = (name: string) => admin(`/api/admin/skills/notes/files/${name}`);
  expect((await files('.env')).status).toBe(404);
  expect((await files('.env.example')).status).toBe(200);
});

test('refuses a folder with too many files before it sends anything', async () => {
  const { folder, publish } = await start();
  const names = Array.from({ length: 5001 }, (_, at) => `notes/f${at}.txt`);
  await Promise.all(names.map((name) => writeFile(join(folder, name), 'x')));
  const refused = await publish('notes');
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.error).toContain('can be packed. Remove what it does not need.');
  expect(refused.error).not.toContain('disk');
});

test.each(['publish', 'sync'])('%s refuses to send a key without encryption', async (command) => {
  const { folder, run } = await start();
  const to = 'http://know.example.org';
  const args =
    command === 'sync'
      ? ['sync', folder, '--from', to]
      : ['publish', join(folder, 'notes'), '--to', to, '--message', 'Is better.'];
  const refused = await run(args);
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.error).toContain('Use https, or add --insecure-http.');
  const allowed = await run([...args, '--insecure-http']);
  expect(allowed.error).not.toContain('--insecure-http');
});
