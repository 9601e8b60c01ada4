import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { backupApi } from '@knowhow/shared/config/backup';
import AdmZip from 'adm-zip';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createZip,
  exportBackup,
  importBackup,
  manifestZip,
  readFileTree,
  sendBackup,
} from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { otherDisk } from '../../../testing/test-folders.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import type { AskModel } from '../../models/model.ts';

let servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  servers.push(server);
  const contents = join(server.folder, 'contents');
  return { server, contents, admin: await signInAdmin(server) };
}

/** Linux lists a process's open files here. */
const openFilesFolder = '/proc/self/fd';

async function openFiles(): Promise<string[]> {
  const open = await readdir(openFilesFolder);
  return Promise.all(open.map((name) => readlink(join(openFilesFolder, name)).catch(() => '')));
}

const namesIn = (zip: Buffer) => new AdmZip(zip).getEntries().map(({ entryName }) => entryName);

async function snapshots(admin: Visitor) {
  const answer = await parseAnswer(
    backupApi.snapshots.response,
    admin('/api/admin/backup/snapshots'),
  );
  return answer.items;
}

async function appIds(visitor: Visitor): Promise<string[]> {
  const { items } = (await (await visitor('/api/apps')).json()) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}

async function skillNames(visitor: Visitor): Promise<string[]> {
  const { items } = (await (await visitor('/api/skills')).json()) as { items: { name: string }[] };
  return items.map(({ name }) => name).sort();
}

describe('a round trip', () => {
  test('restores the same files byte for byte, users who can sign in, and their conversations', async () => {
    const { contents, admin } = await start();
    await writeFiles(contents, {
      'pages/über uns.md': 'Grüße\r\n',
      'notes.txt': new Uint8Array([0, 255, 10, 13]),
      'skills/meeting-notes/scripts/run.sh': '#!/bin/sh\n',
      'skills/meeting-notes/.DS_Store': 'kept, as everything else',
      'skills/broken/SKILL.md': '',
    });
    await chmod(join(contents, 'skills/meeting-notes/scripts/run.sh'), 0o755);
    const user = { username: 'mia', name: 'Mia', groups: [], password: 'mias own password' };
    await admin('/api/admin/users', { json: user });
    const form = { method: 'POST', body: 'The plan.' };
    const uploaded = await admin('/api/files?name=plan.txt', form);
    const { id: fileId } = (await uploaded.json()) as { id: string };
    const { conversationId } = await takeTurn(admin, {
      message: 'Hello',
      skills: ['meeting-notes'],
      attachments: [fileId],
    });
    const { messages } = await readConversation(admin, conversationId);
    const feedback = { method: 'PUT', json: { value: 'down', reason: 'Too long.' } };
    await admin(`/api/messages/${messages[1]?.id}/feedback`, feedback);
    const before = await readFileTree(contents);
    const conversation = await readConversation(admin, conversationId);

    const zip = await exportBackup(admin, '?data=true');
    const other = await start();
    await rm(other.contents, { recursive: true });
    const done = await importBackup(other.admin, zip);

    expect(done.restored).toBe(true);
    expect(done.plan.data).toEqual({
      skills: 1,
      skill_versions: 1,
      personal_skill_shares: 0,
      personal_skills: 0,
      skill_drafts: 0,
      skill_review_comments: 0,
      skill_reviews: 0,
      skill_blobs: 1,
      skill_blob_uses: 1,
      skill_source_states: 0,
      skill_source_skills: 0,
      inbox_items: 0,
      mail_settings: 0,
      users: 2,
      user_prompts: 0,
      conversations: 1,
      lines: 0,
      messages: 2,
      skill_texts: 1,
      activations: 1,
      tool_results: 0,
      vendor_states: 0,
      compactions: 0,
      feedback: 1,
      files: 1,
      file_contents: 1,
    });
    expect(await readFileTree(other.contents)).toEqual(before);
    const mia = other.server.visitor();
    const { username, password } = user;
    expect((await mia('/api/auth/login', { json: { username, password } })).status).toBe(200);
    const again = await signInAdmin(other.server);
    expect(await readConversation(again, conversationId)).toEqual(conversation);
    expect(await (await again(`/api/files/${fileId}`)).text()).toBe('The plan.');
    expect(await skillNames(again)).toEqual(['meeting-notes', 'release-notes']);
  });

  test('of a backup on the same installation keeps everyone signed in', async () => {
    const { admin } = await start();
    const zip = await exportBackup(admin, '?data=true');
    await takeTurn(admin, { message: 'After the backup' });

    await importBackup(admin, zip);

    const { total } = (await (await admin('/api/conversations')).json()) as { total: number };
    expect(total).toBe(0);
    expect((await admin('/api/admin/status')).status).toBe(200);
  });

  test('includes skills that are stored elsewhere', async () => {
    const elsewhere = join(await temporaryFolder(), 'skills');
    const files = {
      'config/skills.json': { settings: { skillsDirectory: elsewhere } },
    };
    const { admin } = await start({ files, environment: { SKILLS_EXTRA_DIRS: elsewhere } });
    await writeFiles(elsewhere, { 'far/SKILL.md': skillFile('far', 'From afar.') });
    const zip = await exportBackup(admin);
    expect(namesIn(zip)).toContain('contents/skills/far/SKILL.md');

    await rm(join(elsewhere, 'far'), { recursive: true });
    await importBackup(admin, zip);

    expect(await readdir(elsewhere)).toEqual(['far']);
    expect(await skillNames(admin)).toContain('far');
  });

  test('writes into a folder that is a link to another disk, and can be undone there', async () => {
    const target = await mkdtemp(join(otherDisk(), 'knowhow-test-'));
    const { contents, admin } = await start();
    const zip = await exportBackup(admin);
    const before = await readFileTree(join(contents, 'skills'));
    await rm(join(contents, 'skills'), { recursive: true });
    await writeFiles(target, { 'old/SKILL.md': skillFile('old', 'An old one.') });
    await symlink(target, join(contents, 'skills'));
    try {
      const { snapshot } = await importBackup(admin, zip, '?only=skills');
      expect(await readFileTree(target)).toEqual(before);
      expect(await skillNames(admin)).toEqual(['meeting-notes', 'release-notes']);

      await admin(`/api/admin/backup/snapshots/${snapshot}/restore`, { method: 'POST' });
      expect(Object.keys(await readFileTree(target))).toEqual(['old/SKILL.md']);
      expect(await skillNames(admin)).toEqual(['old']);
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  });
});

describe('an export', () => {
  test('contains no keys, password files or temporary files, and no data unless requested', async () => {
    const { contents, admin } = await start();
    await writeFiles(contents, {
      '.encryption-key': 'k',
      '.jwt-private-key.pem': 'k',
      'certs/server.key': 'k',
      'config/users.json': { users: {} },
      'apps/half.json.0b8f1c9e-2f3d-4c1a-9a57-0d4b7a5e6c21.tmp': '{',
      'skills/.knowhow-staging/x/new/SKILL.md': 'half',
      'skills/meeting-notes/references/sample.pem': 'a sample in a skill',
    });

    const zip = await exportBackup(admin);
    const text = zip.toString('latin1') + new AdmZip(zip).readAsText('manifest.json');

    expect(namesIn(zip).filter((name) => /key|users|tmp|staging|data\//.test(name))).toEqual([]);
    expect(namesIn(zip)).toContain('contents/skills/meeting-notes/references/sample.pem');
    expect(text).not.toContain('session');
  });

  test('of single items contains and restores only those', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin, '?only=skills/meeting-notes,apps/chat');
    expect(namesIn(zip)).toEqual([
      'contents/apps/chat.json',
      'contents/skills/meeting-notes/SKILL.md',
      'contents/skills/meeting-notes/references/format.md',
      'manifest.json',
    ]);
    await rm(join(contents, 'skills/meeting-notes'), { recursive: true });
    await writeFiles(contents, { 'skills/new/SKILL.md': skillFile('new', 'A new one.') });

    const { plan } = await importBackup(admin, zip);

    expect(plan.chosen.sort()).toEqual(['apps/chat.json', 'skills/meeting-notes']);
    expect(plan.removed).toBe(0);
    expect(await skillNames(admin)).toEqual(['meeting-notes', 'new', 'release-notes']);
  });

  test('rejects an unknown item', async () => {
    const { admin } = await start();
    const { code, detail } = await parseProblem(admin('/api/admin/backup/export?only=skills/nope'));
    expect(code).toBe('invalid-request');
    expect(detail).toContain('skills/nope');
  });

  test('omits what could not be restored everywhere, and reports it', async () => {
    const { contents, admin } = await start();
    await writeFiles(contents, { 'pages/a.md': '1', 'pages/A.md': '2', 'pages/con.txt': '3' });

    const zip = await exportBackup(admin);
    const { plan } = await importBackup(admin, zip, '?dryRun=true');

    expect(namesIn(zip).filter((name) => name.includes('pages'))).toEqual(['contents/pages/A.md']);
    expect(plan.warnings.filter((text) => /pages\/(?:a\.md|con\.txt)/.test(text))).toHaveLength(2);
  });

  test('of files that contain only zeros can be imported again', async () => {
    const { contents, admin } = await start();
    await writeFile(join(contents, 'zeros'), Buffer.alloc(20_000_000));
    const { plan } = await importBackup(admin, await exportBackup(admin), '?dryRun=true');
    expect(plan.same).toBeGreaterThan(8);
  });

  test.skipIf(!existsSync(openFilesFolder))('stops when the client disconnects', async () => {
    const { server, contents, admin } = await start();
    for (let at = 0; at < 8; at += 1) {
      await writeFile(join(contents, `noise-${at}`), randomBytes(8_000_000));
    }
    const abort = new AbortController();
    const response = await admin('/api/admin/backup/export', { signal: abort.signal });
    await response.body?.getReader().read();
    const isReading = async () => (await openFiles()).some((path) => path.includes('noise-'));
    await waitFor(isReading);
    abort.abort();
    await waitFor(async () => !(await isReading()));
    expect((await server.visitor()('/api/health')).status).toBe(200);
  });
});

describe('a dry run', () => {
  test('shows what would be added, changed and removed, line by line, and writes nothing', async () => {
    const { server, contents, admin } = await start();
    const zip = await exportBackup(admin, '?data=true');
    await writeFiles(contents, {
      'apps/new.json': { id: 'new', name: 'New' },
      'skills/meeting-notes/references/format.md': 'Two decisions a line.\n',
    });
    await rm(join(contents, 'prompts/summary.json'));
    const before = await readFileTree(contents);

    const { plan, restored, snapshot } = await importBackup(admin, zip, '?dryRun=true');

    expect({ restored, snapshot }).toEqual({ restored: false, snapshot: undefined });
    expect(plan).toMatchObject({ format: 'knowhow', refused: [], notUsed: [], warnings: [] });
    expect(plan).toMatchObject({ added: 1, changed: 1, removed: 1, same: 7 });
    expect(plan.changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'removed contents/apps/new.json',
      'added contents/prompts/summary.json',
      'changed contents/skills/meeting-notes/references/format.md',
    ]);
    expect(plan.changes[2]?.hunks?.[0]?.lines).toEqual([
      '-Two decisions a line.',
      '+One decision a line.',
    ]);
    expect(await readFileTree(contents)).toEqual(before);
    expect(await readdir(join(server.folder, 'data/tmp'))).toEqual([]);
    expect(await snapshots(admin)).toEqual([]);
  });

  test('warns of an unknown model, a broken skill, and an account that would be lost', async () => {
    const { contents, admin } = await start();
    await writeFiles(contents, {
      'apps/odd.json': { id: 'odd', name: 'Odd', preferredModel: 'gone', allowedModels: ['gone'] },
      'skills/broken/SKILL.md': '',
    });
    const zip = await exportBackup(admin, '?data=true');
    await admin('/api/admin/users', { json: { username: 'late', name: 'Late', groups: [] } });

    const { plan } = await importBackup(admin, zip, '?dryRun=true');

    expect(plan.refused).toEqual([]);
    expect(plan.warnings).toEqual([
      expect.stringContaining('"gone"'),
      expect.stringContaining('late'),
      expect.stringContaining('contents/skills/broken/SKILL.md'),
    ]);
  });
});

test('with sign-in switched off accepts a backup that has it off, too', async () => {
  const files = { 'config/platform.json': { rateLimit: { requests: 0 } } };
  const { contents, admin } = await start({ files });
  await writeFiles(contents, { 'config/platform.json': { localAuth: { enabled: false } } });
  const signIn = () => admin('/api/auth/login', { json: { username: 'admin', password: 'x' } });
  await waitFor(async () => (await signIn()).status !== 401);
  const { restored } = await importBackup(admin, await exportBackup(admin, '?only=config'));
  expect(restored).toBe(true);
});

test('warns of everything that would be removed if a listed part is empty', async () => {
  const { admin } = await start();
  const zip = manifestZip({}, (manifest) => ({ ...manifest, parts: ['apps', 'skills'] }));
  const { plan } = await importBackup(admin, zip, '?dryRun=true');
  expect(plan.removed).toBe(4);
  expect(plan.warnings).toEqual([
    'The backup contains no apps: all 1 here would be removed.',
    'The backup contains no skills: all 2 here would be removed.',
  ]);
});

describe('a selection', () => {
  test('of a part leaves the others unchanged', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin);
    await writeFiles(contents, {
      'apps/new.json': { id: 'new', name: 'New' },
      'skills/new/SKILL.md': skillFile('new', 'A new one.'),
    });

    const { plan } = await importBackup(admin, zip, '?only=apps');

    expect(plan.chosen).toEqual(['apps']);
    expect(await appIds(admin)).toEqual(['chat']);
    expect(await skillNames(admin)).toContain('new');
  });

  test('of an app finds it by its ID, even if its file has another name', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin);
    const app = await readFile(join(contents, 'apps/chat.json'), 'utf8');
    await rm(join(contents, 'apps/chat.json'));
    await writeFiles(contents, {
      'apps/renamed.json': app.replace('helpful', 'unhelpful'),
      'apps/other.json': { id: 'other', name: 'Other' },
    });

    await importBackup(admin, zip, '?only=apps/chat');

    expect((await readdir(join(contents, 'apps'))).sort()).toEqual(['chat.json', 'other.json']);
    expect(await readFile(join(contents, 'apps/chat.json'), 'utf8')).toBe(app);
  });

  test('of something that the backup does not contain is rejected', async () => {
    const { admin } = await start();
    const zip = await exportBackup(admin, '?only=apps');
    for (const only of ['skills', 'skills/meeting-notes', 'nonsense', 'apps/../config', 'data']) {
      const response = await sendBackup(admin, zip, `?dryRun=true&only=${only}`);
      expect([only, response.status]).toEqual([only, 400]);
    }
  });
});

describe('after a restore', () => {
  test('the configuration applies immediately, and still follows the files', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin);
    await rm(join(contents, 'apps/chat.json'));
    await waitFor(async () => (await appIds(admin)).length === 0);

    await importBackup(admin, zip);
    expect(await appIds(admin)).toEqual(['chat']);

    await writeFiles(contents, { 'apps/later.json': { id: 'later', name: 'Later' } });
    await waitFor(async () => (await appIds(admin)).includes('later'));
    await writeFiles(contents, { 'skills/later/SKILL.md': skillFile('later', 'A later one.') });
    await waitFor(async () => (await skillNames(admin)).includes('later'));
  });

  test('a running turn keeps its initial configuration, and ends with its conversation', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const model: AskModel = async function* () {
      yield { type: 'text', text: 'Begun' };
      await gate;
      yield { type: 'text', text: ' and ended.' };
    };
    const { admin } = await start({ model });
    const zip = await exportBackup(admin, '?data=true');
    const files = createZip({ 'contents/skills/other/SKILL.md': skillFile('other', 'Another.') });
    const turn = takeTurn(admin, { message: 'Hello', skills: ['meeting-notes'] });
    await waitFor(async () => {
      const { total } = (await (await admin('/api/conversations')).json()) as { total: number };
      return total === 1;
    });

    await importBackup(admin, files);
    expect(await skillNames(admin)).toEqual(['other']);
    await importBackup(admin, zip);
    goOn();

    const { text, events } = await turn;
    expect(text).toBe('Begun and ended.');
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'not-found' });
    expect((await takeTurn(admin, { message: 'Next' })).text).toBe('Begun and ended.');
  });

  test('the audit log contains who did it, and what', async () => {
    const { admin } = await start();
    const zip = await exportBackup(admin);
    const { snapshot } = await importBackup(admin, zip, '?only=apps');
    const { items } = (await (await admin('/api/admin/audit?kind=backup')).json()) as {
      items: { action: string; target: string; userName: string; after?: unknown }[];
    };
    expect(items.map(({ action }) => action)).toEqual(['restore', 'export']);
    expect(items[0]).toMatchObject({ userName: 'Admin', target: snapshot });
    expect(items[0]?.after).toMatchObject({ chosen: ['apps'], same: 1 });
  });

  test('keys in contents/ stay in place', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin);
    const keys = { '.env': 'A=1', 'certs/deep/server.key': 'k', 'config/users.json': '{}' };
    await writeFiles(contents, { ...keys, 'certs/readme.txt': 'goes' });

    await importBackup(admin, zip);

    const after = await readFileTree(contents);
    expect(after).toMatchObject(keys);
    expect(after).not.toHaveProperty('certs/readme.txt');
  });
});

describe('a snapshot', () => {
  test('can be restored, with its rows, and so can what it replaced', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin, '?data=true');
    await writeFiles(contents, {
      'apps/new.json': { id: 'new', name: 'New' },
      'pages/new.md': 'New',
      'skills/new/SKILL.md': skillFile('new', 'A new one.'),
    });
    await rm(join(contents, 'prompts'), { recursive: true });
    const { conversationId } = await takeTurn(admin, { message: 'Not in the backup' });
    const mine = await readFileTree(contents);
    const { snapshot = '' } = await importBackup(admin, zip);
    const theirs = await readFileTree(contents);
    expect((await admin(`/api/conversations/${conversationId}`)).status).toBe(404);

    const back = await admin(`/api/admin/backup/snapshots/${snapshot}/restore`, { method: 'POST' });
    const answer = await parseAnswer(backupApi.restoreSnapshot.response, back);
    expect(await readFileTree(contents)).toEqual(mine);
    expect((await readConversation(admin, conversationId)).messages).toHaveLength(2);

    const path = `/api/admin/backup/snapshots/${answer.snapshot}/restore`;
    expect((await admin(path, { method: 'POST' })).status).toBe(200);
    expect(await readFileTree(contents)).toEqual(theirs);
    expect(await snapshots(admin)).toHaveLength(3);
  });

  test('of a single new item restores its absence', async () => {
    const { contents, admin } = await start();
    const zip = await exportBackup(admin);
    await rm(join(contents, 'skills/release-notes'), { recursive: true });
    const { snapshot } = await importBackup(admin, zip, '?only=skills/release-notes');
    expect(await skillNames(admin)).toContain('release-notes');

    await admin(`/api/admin/backup/snapshots/${snapshot}/restore`, { method: 'POST' });

    expect(await skillNames(admin)).toEqual(['meeting-notes']);
  });

  test('is one of the last five, until it is deleted', async () => {
    const { server, admin } = await start();
    const zip = await exportBackup(admin, '?only=apps');
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      made.unshift((await importBackup(admin, zip)).snapshot ?? '');
    }
    const listed = await snapshots(admin);
    expect(listed.map(({ id }) => id)).toEqual(made.slice(0, 5));
    expect(listed[0]).toMatchObject({ by: 'Admin', parts: ['apps'], files: 1 });

    const path = `/api/admin/backup/snapshots/${made[1]}`;
    expect((await admin(path, { method: 'DELETE' })).status).toBe(204);
    expect((await admin(path, { method: 'DELETE' })).status).toBe(404);
    expect((await admin(`${path}/restore`, { method: 'POST' })).status).toBe(404);
    expect((await snapshots(admin)).map(({ id }) => id)).toEqual([made[0], ...made.slice(2, 5)]);
    expect(await readdir(join(server.folder, 'data/snapshots'))).toHaveLength(4);
  });
});

test('restores executable bits even from a repacked archive without them', async () => {
  const { contents, admin } = await start();
  const path = 'contents/skills/tools/run.sh';
  const zip = manifestZip({ [path]: '#!/bin/sh\n' }, (manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, executable: true })),
  }));
  await importBackup(admin, zip);
  expect((await stat(join(contents, 'skills/tools/run.sh'))).mode & 0o111).not.toBe(0);
});

test('the state reports the size of a backup', async () => {
  const { admin } = await start();
  const state = await parseAnswer(backupApi.state.response, admin('/api/admin/backup'));
  expect(state).toMatchObject({ contentsFiles: 9, restoring: false });
  expect(state.contentsBytes).toBeGreaterThan(1000);
});

test('only one restore runs at a time, without blocking anything else', async () => {
  const { server, admin } = await start();
  const zip = await exportBackup(admin);
  const answers = await Promise.all([
    ...Array.from({ length: 3 }, () => sendBackup(admin, zip)),
    server.visitor()('/api/health'),
  ]);
  const [health, ...restores] = answers.map(({ status }) => status).reverse();
  expect(health).toBe(200);
  expect(restores).toContain(200);
  expect(restores.every((status) => status === 200 || status === 409)).toBe(true);
});

test('a hand-made zip of contents/ is accepted, and restores only what it contains', async () => {
  const { contents, admin } = await start();
  const groups = JSON.parse(await readFile(join(contents, 'config/groups.json'), 'utf8'));
  const zip = createZip({
    'my backup/contents/apps/mine.json': { id: 'mine', name: 'Mine' },
    'my backup/contents/config/groups.json': groups,
    'my backup/contents/pages/mine.md': 'Mine',
    'my backup/readme.txt': 'Read me.',
    '__MACOSX/my backup/contents/apps/._mine.json': 'x',
  });
  await writeFiles(contents, { 'pages/theirs.md': 'Theirs', 'images/logo.svg': '<svg/>' });

  const { plan } = await importBackup(admin, zip);

  expect(plan.chosen).toEqual(['apps', 'config/groups.json', 'other/pages']);
  expect(plan.notUsed.map(({ path }) => path).sort()).toEqual([
    '__MACOSX/my backup/contents/apps/._mine.json',
    'readme.txt',
  ]);
  const files = Object.keys(await readFileTree(contents));
  expect(files).toContain('config/platform.json');
  expect(files).toContain('images/logo.svg');
  expect(files).not.toContain('pages/theirs.md');
  expect(await appIds(admin)).toEqual(['mine']);
});
