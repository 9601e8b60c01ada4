import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { Problem } from '@knowhow/shared/problem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../tables.ts';
import {
  createZip,
  exportBackup,
  importBackup,
  manifestZip,
  readFileTree,
  sendBackup,
} from '../../../testing/backup-calls.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { type RawEntry, rawZip } from '../../../testing/raw-zip.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { readBackup } from '../read-backup.ts';

let server: TestServer;
let admin: Visitor;
let before: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
  before = await readFileTree(join(server.folder, 'contents'));
});
afterAll(async () => {
  // Whatever was rejected, nothing has changed, and nothing is left behind.
  expect(await readFileTree(join(server.folder, 'contents'))).toEqual(before);
  expect(await readdir(join(server.folder, 'data/tmp'))).toEqual([]);
  expect(await readdir(join(server.folder, 'data/snapshots'))).toEqual([]);
  await server.close();
});

/** Sent as a real restore, not a dry run: only the rejection prevents it. */
async function refusal(zip: Uint8Array, query = '') {
  const response = await sendBackup(admin, zip, query);
  const { code, detail, issues = [] } = await parseProblem(response);
  const health = await server.visitor()('/api/health');
  expect(health.status).toBe(200);
  return {
    status: response.status,
    code,
    detail,
    issues: issues.map((issue) => `${issue.path} ${issue.code}`),
  };
}

const app = { id: 'a', name: 'A' };
const fine: RawEntry = { name: 'contents/apps/a.json', content: JSON.stringify(app) };
const withEntry = (...entries: RawEntry[]) => rawZip([fine, ...entries]);
const named = (name: string) => withEntry({ name, content: 'x' });

describe('rejects an archive', () => {
  test.each<[string, Buffer, string[]]>([
    ['of zero bytes', Buffer.alloc(0), [' truncated']],
    ['that is not a zip', Buffer.from('{"format": "knowhow-backup"}'), [' truncated']],
    ['with path traversal', named('contents/../../x'), ['contents/../../x path-outside']],
    [
      'with path traversal by other dots',
      named('contents/%2e%2e/x'),
      ['contents/%2e%2e/x path-outside'],
    ],
    ['with an absolute path', named('/contents/x'), ['/contents/x path-absolute']],
    ['with a drive letter', named('C:/contents/x'), ['C:/contents/x path-absolute']],
    ['with a backslash', named('contents\\apps\\x'), ['contents\\apps\\x path-backslash']],
    ['with NUL in a name', named('contents/a\0b'), ['contents/a\\u{0}b path-control-character']],
    ['with a device name', named('contents/con.txt'), ['contents/con.txt path-reserved-name']],
    ['with an empty name', named('contents//x'), ['contents//x path-empty-name']],
    ['with a duplicate name', withEntry(fine), ['contents/apps/a.json name-twice']],
    [
      'with names that differ only in case',
      named('contents/apps/A.JSON'),
      ['contents/apps/A.JSON name-collision'],
    ],
    [
      'with a name that is a file and a folder',
      named('contents/apps/a.json/x'),
      ['contents/apps/a.json file-and-folder'],
    ],
    [
      'with a symbolic link',
      withEntry({ name: 'contents/x', content: '/etc/passwd', mode: 0o120777 }),
      ['contents/x link'],
    ],
    [
      'with a device',
      withEntry({ name: 'contents/x', content: '', mode: 0o020666 }),
      ['contents/x special-file'],
    ],
    [
      'with an encrypted entry',
      withEntry({ name: 'contents/x', content: 'x', flags: 1 }),
      ['contents/x encrypted'],
    ],
    ['with strong encryption', withEntry({ name: 'contents/x', flags: 0x40 }), [' encrypted']],
    [
      'with an uncommon compression method',
      withEntry({ name: 'contents/x', method: 14, data: Buffer.from('x') }),
      ['contents/x compression'],
    ],
    [
      'with a broken checksum',
      withEntry({ name: 'contents/x', content: 'x', crc: 1 }),
      ['contents/x checksum'],
    ],
    [
      'with content that cannot be unpacked',
      withEntry({ name: 'contents/x', content: 'xxxx', data: Buffer.from([255, 255, 255]) }),
      ['contents/x damaged'],
    ],
    [
      'with more content than declared',
      withEntry({ name: 'contents/x', content: 'a'.repeat(5000), size: 3 }),
      ['contents/x damaged'],
    ],
    [
      'with less content than declared',
      withEntry({ name: 'contents/x', content: 'abc', size: 30 }),
      ['contents/x damaged'],
    ],
    [
      'with another name in the local header than in the directory',
      withEntry({ name: 'contents/x', content: 'x', local: { name: 'contents/y' } }),
      ['contents/x header-mismatch'],
    ],
    [
      'with overlapping entries',
      withEntry({ name: 'contents/x', content: JSON.stringify(app), offset: 0 }),
      ['contents/x header-mismatch', 'contents/apps/a.json overlap'],
    ],
    [
      'with data in front',
      rawZip([fine], { prefix: Buffer.from('MZ') }),
      ['contents/apps/a.json hidden-data'],
    ],
    ['with data in between', rawZip([fine], { gap: Buffer.from('gap') }), [' hidden-data']],
    [
      'with data after the end',
      Buffer.concat([rawZip([fine]), Buffer.from('more')]),
      [' truncated'],
    ],
    ['that is part of a multi-part archive', rawZip([fine], { count: 7 }), [' damaged']],
    [
      'with a file of more than 64 MiB',
      withEntry({ name: 'contents/x', size: 65 * 1024 * 1024, content: 'x' }),
      ['contents/x file-too-large'],
    ],
    [
      'that is a zip bomb',
      withEntry({ name: 'contents/x', content: Buffer.alloc(20_000_000) }),
      [' bomb'],
    ],
    [
      'with nothing recognisable in it',
      createZip({ 'foo/contents/x.txt': 'x' }),
      [' not-a-backup'],
    ],
    ['without entries', rawZip([]), [' not-a-backup']],
    ['that is a skill', createZip({ 'pdf/SKILL.md': '---\nname: pdf\n---\n' }), [' not-a-backup']],
  ])('%s', async (_name, zip, issues) => {
    const refused = await refusal(zip);
    expect(refused).toMatchObject({ status: 400, code: 'invalid-archive' });
    expect(refused.issues.sort()).toEqual(issues.sort());
  });

  test('of more than 2 GiB, whatever size it declares', async () => {
    const piece = deflateRawSync(Buffer.alloc(60 * 1024 * 1024));
    const pieces = Array.from({ length: 40 }, (_, at) => ({
      name: `contents/${at}`,
      data: piece,
      size: 60 * 1024 * 1024,
    }));
    expect((await refusal(withEntry(...pieces))).issues).toEqual([' too-large', ' bomb']);
  });

  test('of more than a hundred thousand entries, immediately', async () => {
    const entries = Array.from({ length: 100_001 }, (_, at) => ({
      name: `contents/${at}`,
      method: 0,
    }));
    const zip = rawZip(entries, { count: 65_535 });
    // The short format cannot represent that many, so the Zip64 end record does.
    expect((await refusal(withLongEnd(zip, entries.length))).issues).toEqual([' too-many-entries']);
  });

  test('larger than 512 MiB, before it is sent', async () => {
    const announced = String(513 * 1024 * 1024);
    const cookie = await sessionCookie();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${server.url}/api/admin/backup/import`, {
        method: 'POST',
        headers: { 'content-length': announced, cookie },
      });
      sending.once('response', (response) => {
        resolve(response.statusCode);
        sending.destroy();
      });
      sending.once('error', reject);
      sending.write('PK');
    });
    expect(status).toBe(413);
  });

  test('naming everything that is wrong with it', async () => {
    const entries = Array.from({ length: 120 }, (_, at) => ({ name: `contents/../${at}` }));
    const { detail, issues } = await refusal(withEntry(...entries));
    expect(issues).toHaveLength(100);
    expect(detail).toContain('120 things');
  });
});

describe('rejects a manifest', () => {
  const files = { 'contents/apps/a.json': app, 'contents/pages/a.md': 'A' };

  test.each<[string, Buffer, string[]]>([
    [
      'with a wrong digest',
      manifestZip(files, (it) => ({
        ...it,
        files: it.files.map((file) => ({ ...file, sha256: '0'.repeat(64) })),
      })),
      ['contents/apps/a.json digest', 'contents/pages/a.md digest'],
    ],
    [
      'with a wrong size',
      manifestZip(files, (it) => ({
        ...it,
        files: it.files.map((file) => ({ ...file, size: 1 })),
      })),
      ['contents/apps/a.json digest'],
    ],
    [
      'that lists a missing file',
      manifestZip(files, (it) => ({
        ...it,
        files: [...it.files, { path: 'contents/gone', size: 0, sha256: '0'.repeat(64) }],
      })),
      ['contents/gone missing'],
    ],
    [
      'that does not list a file',
      manifestZip(files, (it) => ({ ...it, files: it.files.slice(1) })),
      ['contents/apps/a.json not-in-manifest'],
    ],
    [
      'that lists a file twice',
      manifestZip(files, (it) => ({ ...it, files: [...it.files, ...it.files.slice(1)] })),
      ['contents/pages/a.md manifest'],
    ],
    [
      'with unknown parts',
      manifestZip(files, (it) => ({ ...it, parts: ['other', 'skills/../../etc'] })),
      ['contents/apps/a.json manifest', 'skills/../../etc manifest'],
    ],
    ['of a newer version', manifestZip(files, (it) => ({ ...it, version: 2 })), [' newer-version']],
    ['of another program', manifestZip(files, (it) => ({ ...it, format: 'zip' })), [' manifest']],
    [
      'that lacks its files',
      manifestZip(files, () => ({ format: 'knowhow-backup' })),
      [' manifest'],
    ],
    ['that is not an object', manifestZip(files, () => null), [' manifest']],
    ['that is not JSON', createZip({ ...files, 'manifest.json': '{' }), [' manifest']],
  ])('%s', async (_name, zip, issues) => {
    const refused = await refusal(zip);
    expect(refused).toMatchObject({ status: 400, code: 'invalid-archive' });
    expect(refused.issues.sort()).toEqual(issues.sort());
  });
});

describe('rejects a configuration', () => {
  const admins = { id: 'admins', name: 'Admins', permissions: { adminAccess: true } };
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`;

  test.each<[string, Record<string, unknown>, string[]]>([
    ['that is not JSON', { 'contents/apps/a.json': '{' }, ['contents/apps/a.json configuration']],
    [
      'of an invalid shape',
      { 'contents/apps/a.json': { id: 'a' }, 'contents/models/m.json': { id: 'm' } },
      ['contents/apps/a.json configuration', 'contents/models/m.json configuration'],
    ],
    [
      'with a duplicate ID',
      { 'contents/apps/a.json': app, 'contents/apps/b.json': app },
      ['contents/apps/b.json configuration'],
    ],
    [
      'with an inheritance cycle of groups',
      {
        'contents/config/groups.json': {
          groups: {
            admins,
            a: { id: 'a', name: 'A', inherits: ['b'] },
            b: { id: 'b', name: 'B', inherits: ['a'] },
          },
        },
      },
      ['contents/config/groups.json configuration', 'contents/config/groups.json configuration'],
    ],
    [
      'that leaves no admin',
      { 'contents/config/groups.json': { groups: { users: { id: 'users', name: 'Users' } } } },
      ['contents/config/groups.json last-admin'],
    ],
    [
      'that leaves no user who can sign in',
      {
        'contents/config/groups.json': { groups: { admins } },
        'contents/config/platform.json': { localAuth: { enabled: false } },
      },
      ['contents/config/platform.json sign-in-off'],
    ],
    [
      'that would make skills overwrite something else',
      {
        'contents/config/groups.json': { groups: { admins } },
        'contents/config/skills.json': { settings: { skillsDirectory: '/etc' } },
      },
      ['contents/config/skills.json skills-directory'],
    ],
    [
      'that is nested too deeply',
      { 'contents/apps/a.json': deep },
      ['contents/apps/a.json too-deep'],
    ],
    [
      'that is too large',
      { 'contents/apps/a.json': { ...app, x: randomText(4_300_000) } },
      ['contents/apps/a.json file-too-large'],
    ],
  ])('%s', async (_name, files, issues) => {
    for (const zip of [createZip(files), manifestZip(files)]) {
      const { plan } = await importBackup(admin, zip, '?dryRun=true');
      expect(plan.refused.map(({ path, code }) => `${path} ${code}`).sort()).toEqual(issues.sort());
      const refused = await refusal(zip);
      expect(refused).toMatchObject({ status: 400, code: 'invalid-archive' });
      expect(refused.issues.sort()).toEqual(issues.sort());
    }
  });
});

describe('rejects rows', () => {
  const user = {
    id: '5e0c3dd5-5d64-4b06-8a5c-5a1ca6a2a4a5',
    username: 'mia',
    name: 'Mia',
    password_hash: '$2b$04$pYsAJBkqsg7V/GjecHS8JObwsMJE5JHkoZuxEjqg/5vc07gRa3v/S',
    groups: '["admins"]',
    disabled: 0,
    created_at: '2026-08-01T10:00:00.000Z',
  };
  const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const conversation = {
    id: '9b0cb2a3-5f0e-4f9e-8f38-0f0f3d6b0a11',
    owner: user.id,
    app_id: 'chat',
    model: 'scripted',
    title: 'T',
    created_at: user.created_at,
    updated_at: user.created_at,
  };

  test('of a user with a password hash that is too expensive, by name', async () => {
    const costly = { ...user, password_hash: user.password_hash.replace('04', '15') };
    const { detail } = await refusal(
      manifestZip({ 'contents/apps/a.json': app, 'data/users.jsonl': lines(costly) }),
    );
    expect(detail).toMatch(/"mia".* higher cost than 14\./);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['that are not JSON', { 'data/users.jsonl': '{\n' }, ['data/users.jsonl row']],
    [
      'with a password that is not hashed',
      { 'data/users.jsonl': lines({ ...user, password_hash: 'secret' }) },
      ['data/users.jsonl row'],
    ],
    [
      'with a password hash that takes hours to check',
      {
        'data/users.jsonl': lines({
          ...user,
          password_hash: user.password_hash.replace('04', '31'),
        }),
      },
      ['data/users.jsonl row'],
    ],
    [
      'with groups that are not a list',
      { 'data/users.jsonl': lines({ ...user, groups: '{}' }) },
      ['data/users.jsonl row'],
    ],
    [
      'of a user whose name looks like another',
      { 'data/users.jsonl': lines({ ...user, username: 'mia\0x' }) },
      ['data/users.jsonl row'],
    ],
    [
      'of a user with a control character in the display name',
      { 'data/users.jsonl': lines({ ...user, name: 'Mia\u001b[2J' }) },
      ['data/users.jsonl row'],
    ],
    [
      'with an unknown column',
      { 'data/users.jsonl': lines({ ...user, is_root: 1 }) },
      ['data/users.jsonl row'],
    ],
    [
      'with a message of an invalid shape',
      {
        'data/users.jsonl': lines(user),
        'data/conversations.jsonl': lines(conversation),
        'data/messages.jsonl': lines({
          id: user.id,
          conversation_id: conversation.id,
          position: 0,
          role: 'assistant',
          content: '',
          status: 'complete',
          details: '{"activations": 5}',
          created_at: user.created_at,
        }),
      },
      ['data/messages.jsonl row'],
    ],
    ['that are duplicated', { 'data/users.jsonl': lines(user, user) }, ['data/users.jsonl row']],
    [
      'that contradict each other',
      {
        'data/users.jsonl': lines(user),
        'data/conversations.jsonl': lines(conversation, conversation),
      },
      ['data/conversations.jsonl row'],
    ],
  ])('%s', async (_name, files, issues) => {
    const refused = await refusal(manifestZip(files));
    expect(refused).toMatchObject({ status: 400, code: 'invalid-archive', issues });
  });

  test('with a duplicate name, and the plan names the line', async () => {
    const other = { ...user, id: conversation.id };
    const zip = manifestZip({ 'data/users.jsonl': lines(user, other) });
    const { detail, issues } = await refusal(zip, '?dryRun=true');
    expect(issues).toEqual(['data/users.jsonl row']);
    expect(detail).toContain('Line 2, username: "mia" is in line 1 already.');
  });

  test('that leave no admin', async () => {
    const zip = manifestZip({ 'data/users.jsonl': lines({ ...user, groups: '[]' }) });
    expect((await refusal(zip)).issues).toEqual(['contents/config/groups.json last-admin']);
    const disabled = manifestZip({ 'data/users.jsonl': lines({ ...user, disabled: 1 }) });
    expect((await refusal(disabled)).issues).toEqual(['contents/config/groups.json last-admin']);
  });
});

describe('a whole backup', () => {
  test('is rejected when truncated, at any of a thousand points', async () => {
    const zip = await exportBackup(admin, '?data=true');
    const random = seededRandom(7);
    const file = join(await temporaryFolder(), 'backup.zip');
    const directory = join(await temporaryFolder(), 'unpacked');
    for (let at = 0; at < 1000; at += 1) {
      const cut = zip.subarray(0, Math.floor(random() * zip.length));
      const expected = { status: 400, code: 'invalid-archive' };
      if (at % 20 === 0) {
        expect(await refusal(cut)).toMatchObject(expected);
      } else {
        await writeFile(file, cut);
        const reading = readBackup(file, { directory, name: 'It', durable: false, tables });
        await expect(reading).rejects.toMatchObject(expected);
      }
    }
  }, 60_000);

  test('is rejected, or the same, whatever byte of its directory is changed', async () => {
    const zip = await exportBackup(admin, '?only=apps,config');
    const file = join(await temporaryFolder(), 'backup.zip');
    const contentOf = async (bytes: Buffer) => {
      await writeFile(file, bytes);
      const directory = join(await temporaryFolder(), 'unpacked');
      const source = await readBackup(file, { directory, name: 'It', durable: false, tables });
      return [...source.files.values()]
        .map(({ path, size, sha256, executable }) => ({
          path,
          size,
          sha256,
          executable,
        }))
        .sort((one, other) => (one.path < other.path ? -1 : 1));
    };
    const expected = await contentOf(zip);
    const start = zip.readUInt32LE(zip.length - 6);
    let refused = 0;
    for (let at = start; at < zip.length; at += 1) {
      const changed = Buffer.from(zip);
      changed.writeUInt8((zip.readUInt8(at) ^ (1 << (at % 8))) & 255, at);
      try {
        expect(await contentOf(changed)).toEqual(expected);
      } catch (error) {
        expect(error instanceof Problem && error.code).toBe('invalid-archive');
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan((zip.length - start) / 2);
  }, 60_000);
});

test('rejects a form without a file, and one with two', async () => {
  const send = (form: FormData) =>
    fetch(`${server.url}/api/admin/backup/import`, { method: 'POST', body: form });
  expect((await send(new FormData())).status).toBe(401);
  const cookie = await sessionCookie();
  const status = async (...names: string[]) => {
    const form = new FormData();
    for (const name of names) {
      form.append(name, new Blob([new Uint8Array(rawZip([fine]))]), 'backup.zip');
    }
    const headers = { cookie };
    const init = { method: 'POST', body: form, headers };
    return (await fetch(`${server.url}/api/admin/backup/import?dryRun=true`, init)).status;
  };
  expect(await status('other')).toBe(400);
  expect(await status('file', 'file')).toBe(400);
  expect(await status('file')).toBe(200);
});

async function sessionCookie(): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'a password for tests' }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The Zip64 end record, needed for more than 65,535 entries. */
function withLongEnd(zip: Buffer, count: number): Buffer {
  const end = zip.length - 22;
  const long = Buffer.alloc(56 + 20);
  long.writeUInt32LE(0x06064b50, 0);
  long.writeBigUInt64LE(44n, 4);
  long.writeBigUInt64LE(BigInt(count), 24);
  long.writeBigUInt64LE(BigInt(count), 32);
  long.writeBigUInt64LE(BigInt(zip.readUInt32LE(end + 12)), 40);
  long.writeBigUInt64LE(BigInt(zip.readUInt32LE(end + 16)), 48);
  long.writeUInt32LE(0x07064b50, 56);
  long.writeBigUInt64LE(BigInt(end), 64);
  long.writeUInt32LE(1, 72);
  return Buffer.concat([zip.subarray(0, end), long, zip.subarray(end)]);
}

function randomText(length: number): string {
  const piece = (at: number) => createHash('sha512').update(`${at}`).digest('hex');
  return Array.from({ length: length / 128 }, (_, at) => piece(at)).join('');
}
