import { archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import type { PackedFile } from '@knowhow/skill-format';
import { expect, onTestFinished, test } from 'vitest';
import { writeArchive } from '../../modules/skills/archives/write-archive.ts';
import { parseAnswer, parseProblem } from '../../testing/parse-answer.ts';
import { signInAdmin } from '../../testing/sign-in-admin.ts';
import { skillFile } from '../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../testing/start-test-server.ts';

async function adminOf(environment: Record<string, string>): Promise<Visitor> {
  const server = await startTestServer({ environment });
  onTestFinished(() => server.close());
  return signInAdmin(server);
}

const file = (path: string, text: string): PackedFile => ({
  path,
  bytes: Buffer.from(text),
  executable: false,
});
const main = file('SKILL.md', skillFile('pdf', 'Fills in forms.'));

/** Sends a skill with these additional files. */
async function send(admin: Visitor, to: 'import' | 'validate', ...others: PackedFile[]) {
  return admin(`/api/admin/skills/${to}`, {
    method: 'POST',
    body: await writeArchive('pdf', [main, ...others], 'zip'),
    headers: { 'Content-Type': 'application/zip' },
  });
}

const write = (admin: Visitor, path: string, text: string) =>
  admin(`/api/admin/skills/meeting-notes/files/${path}`, { method: 'PUT', body: text });

test('an operator can lower the size limits of skills, and every rejection names them', async () => {
  const admin = await adminOf({
    SKILLS_MAX_FILES: '2',
    SKILLS_MAX_KIB: '3',
    SKILLS_MAX_FILE_KIB: '2',
  });
  const issuesOf = async (...others: PackedFile[]) => {
    const { issues = [] } = await parseProblem(send(admin, 'import', ...others));
    return issues.map(({ message }) => message);
  };
  expect(await issuesOf(file('a.md', 'a'), file('b.md', 'b'))).toEqual([
    'The skill has more than 2 files.',
  ]);
  expect(await issuesOf(file('a.md', 'words '.repeat(500)))).toEqual([
    'The file is larger than 2 KiB.',
  ]);
  const long = { ...main, bytes: Buffer.from(`${main.bytes}${'And so on. '.repeat(150)}`) };
  const two = await writeArchive('pdf', [long, file('a.md', 'words '.repeat(320))], 'zip');
  const refused = await parseProblem(
    admin('/api/admin/skills/import', {
      method: 'POST',
      body: two,
      headers: { 'Content-Type': 'application/zip' },
    }),
  );
  expect(refused.issues?.map(({ message }) => message)).toEqual([
    'The files of the skill have more than 3 KiB together.',
  ]);

  expect(await parseProblem(write(admin, 'a.md', 'a'.repeat(2049)))).toMatchObject({
    code: 'too-large',
    detail: expect.stringContaining('at most 2 KiB'),
  });
  expect((await write(admin, 'references/format.md', 'Shorter.')).status).toBe(200);
  expect(await parseProblem(write(admin, 'third.md', 'a'))).toMatchObject({
    code: 'too-large',
    detail: expect.stringContaining('at most 2 files and 3 KiB'),
  });
  const body = 'words '.repeat(500);
  const created = admin('/api/admin/skills', {
    json: { name: 'longer', description: 'New.', body },
  });
  expect(await parseProblem(created)).toMatchObject({ code: 'too-large' });
});

test('an operator can raise the size limits of skills', async () => {
  const admin = await adminOf({ SKILLS_MAX_FILES: '600', SKILLS_MAX_FILE_KIB: '6000' });
  const many = Array.from({ length: 520 }, (_, at) => file(`${at}.md`, `${at}`));
  const lines = Array.from({ length: 5 * 64 * 1024 }, (_, at) => `Line ${at * 7919}\n`);
  const bytes = Buffer.from(lines.join(''));
  const large = { path: 'large.md', bytes, executable: false };
  expect((await send(admin, 'import', ...many)).status).toBe(200);
  expect((await admin('/api/admin/skills/pdf/export')).status).toBe(200);
  expect((await write(admin, 'large.txt', bytes.toString())).status).toBe(200);
  expect((await send(admin, 'validate', large)).status).toBe(200);
});

test('reports a text of more than 50 kB', async () => {
  const admin = await adminOf({});
  const answer = await send(
    admin,
    'validate',
    file('long.md', 'Some words. '.repeat(4200)),
    file('short.md', 'Some words. '.repeat(4100)),
  );
  const { skills } = await parseAnswer(archiveReportSchema, answer);
  const diagnostics = skills[0]?.files.flatMap(({ path, diagnostics: all }) =>
    all.map(({ code, message }) => [path, code, message]),
  );
  expect(diagnostics).toEqual([['long.md', 'long-text', 'It is long (51 kB).']]);
});
