import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import {
  type ArchiveReport,
  archiveReportSchema,
  type Installed,
  installedSchema,
} from '@knowhow/shared/skills/skill-archives';
import type { PackedFile } from '@knowhow/skill-format';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { rawZip } from '../../../testing/raw-zip.ts';
import { adminCookie, signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { writeFiles } from '../../../testing/write-files.ts';
import { type ArchiveFormat, writeArchive } from '../../skills/archives/write-archive.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const file = (path: string, text: string | Uint8Array, executable = false): PackedFile => ({
  path,
  bytes: Buffer.from(text),
  executable,
});
const pdf = [
  file('SKILL.md', skillFile('pdf-forms', 'Fills in forms. Use when there is a PDF.')),
  file('scripts/fill.sh', '#!/bin/sh\necho filled\n', true),
  file('assets/stamp.bin', new Uint8Array([0, 255, 1, 254])),
];
const send = (address: string, body: string | Uint8Array, type = 'application/zip') =>
  admin(`/api/admin/skills/${address}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': type },
  });
const report = (response: Response): Promise<ArchiveReport> =>
  parseAnswer(archiveReportSchema, response);
const installed = (response: Response): Promise<Installed> =>
  parseAnswer(installedSchema, response);
const skillsFolder = () => join(server.folder, 'contents/skills');
const folders = async () =>
  (await readdir(skillsFolder())).filter((name) => name[0] !== '.').sort();

/** Two skills in one archive. */
function two(): Promise<Buffer> {
  return writeArchive(
    'bundle',
    [
      ...pdf.map((each) => ({ ...each, path: `pdf-forms/${each.path}` })),
      file('meeting-notes/SKILL.md', skillFile('meeting-notes', 'Other notes.')),
    ],
    'zip',
  );
}

describe.each<[ArchiveFormat, string]>([
  ['zip', 'application/zip'],
  ['tar.gz', 'application/gzip'],
  ['json', 'application/json'],
])('%s', (format, type) => {
  test('round-trips byte for byte', async () => {
    const response = await send('upload', await writeArchive('pdf-forms', pdf, format), type);
    expect(response.status).toBe(201);
    expect((await installed(response)).installed).toMatchObject([
      { name: 'pdf-forms', action: 'created', files: 3 },
    ]);
    const script = join(skillsFolder(), 'pdf-forms/scripts/fill.sh');
    expect((await stat(script)).mode & 0o111).not.toBe(0);
    expect(await readFile(join(skillsFolder(), 'pdf-forms/assets/stamp.bin'))).toEqual(
      Buffer.from([0, 255, 1, 254]),
    );
    const exported = await admin(`/api/admin/skills/pdf-forms/export?format=${format}`);
    expect(exported.headers.get('content-disposition')).toContain(`pdf-forms.${format}`);
    const bytes = Buffer.from(await exported.arrayBuffer());
    const again = await send('import?overwrite=true', bytes, type);
    expect((await installed(again)).installed).toMatchObject([{ action: 'unchanged' }]);
  });
});

describe('validation', () => {
  test('reports the contents, and writes nothing', async () => {
    const { format, skills } = await report(await send('validate', await two()));
    expect(format).toBe('zip');
    expect(skills).toMatchObject([
      { name: 'meeting-notes', accepted: true, conflict: { location: 'local:meeting-notes' } },
      { name: 'pdf-forms', accepted: true, valid: true },
    ]);
    expect(skills[0]?.conflict?.changes.map(({ path, change }) => [path, change])).toEqual([
      ['SKILL.md', 'changed'],
      ['references/format.md', 'removed'],
    ]);
    expect(skills[1]?.files.find(({ path }) => path === 'scripts/fill.sh')).toMatchObject({
      script: true,
      executable: true,
    });
    expect(await folders()).toEqual(['meeting-notes', 'release-notes']);
  });

  test('marks likely secrets, without repeating them', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const archive = await writeArchive(
      'pdf-forms',
      [...pdf, file('notes.txt', `token: ${secret}`)],
      'zip',
    );
    const response = await send('validate', archive);
    const text = await response.text();
    expect(text).toContain('looks-like-secret');
    expect(text).not.toContain(secret);
  });

  test('of an installed skill, and of a typed text', async () => {
    const byName = await send(
      'validate',
      JSON.stringify({ name: 'meeting-notes' }),
      'application/json',
    );
    expect(await report(byName)).toMatchObject({
      format: 'installed',
      skills: [{ accepted: true }],
    });
    const typed = await send(
      'validate?folder=pdf-forms',
      '---\nname: Other\ndescription: Reads.\n---\n\nDo it.\n',
      'text/markdown',
    );
    expect((await report(typed)).skills[0]).toMatchObject({
      accepted: false,
      diagnostics: [{ code: 'name-invalid', line: 2 }, { code: 'name-directory-mismatch' }],
    });
  });
});

describe('an import', () => {
  test('aborts at a name conflict, naming both, and writes nothing', async () => {
    const response = await send('import', await two());
    expect(response.status).toBe(409);
    const { code, detail, issues } = await parseProblem(response);
    expect(code).toBe('name-taken');
    expect(detail).toContain('meeting-notes');
    expect(issues?.[0]?.message).toMatch(/Turns notes into decisions.*Other notes/);
    expect(await folders()).toEqual(['meeting-notes', 'release-notes']);
    expect((await send('upload', await two())).status).toBe(409);
  });

  test('imports the selection', async () => {
    const response = await send('import?select=pdf-forms', await two());
    expect((await installed(response)).installed).toMatchObject([{ name: 'pdf-forms' }]);
    const unknown = await send('import?select=other', await two());
    expect(unknown.status).toBe(400);
  });

  test('replaces only on explicit request, and the old state can be restored', async () => {
    expect((await send('import?overwrite=1', await two())).status).toBe(409);
    const response = await send('import?overwrite=true', await two());
    expect((await installed(response)).installed).toMatchObject([
      { name: 'meeting-notes', action: 'replaced' },
      { name: 'pdf-forms', action: 'created' },
    ]);
    const seen = await (await admin('/api/skills/meeting-notes')).json();
    expect(seen).toMatchObject({ description: 'Other notes.', files: [] });
    await admin('/api/skill-versions/meeting-notes/1/restore', { method: 'POST' });
    const back = await (await admin('/api/skills/meeting-notes')).json();
    expect(back).toMatchObject({ description: 'Turns notes into decisions.' });
  });

  test('keeps an existing folder of that name that is not a skill', async () => {
    await writeFiles(skillsFolder(), { 'pdf-forms/letter.txt': 'Dear all' });
    const archive = await writeArchive('pdf-forms', pdf, 'zip');
    expect((await send('import', archive)).status).toBe(409);
    expect((await send('import?overwrite=true', archive)).status).toBe(200);
    await admin('/api/skill-versions/pdf-forms/1/restore', { method: 'POST' });
    expect(await readFile(join(skillsFolder(), 'pdf-forms/letter.txt'), 'utf8')).toBe('Dear all');
  });

  test('renames a skill, in its SKILL.md too', async () => {
    const { skills } = await report(await send('validate', await two()));
    const { folder } = skills[0] ?? {};
    const response = await send(`import?rename=${folder}:minutes`, await two());
    expect((await installed(response)).installed.map(({ name }) => name)).toEqual([
      'minutes',
      'pdf-forms',
    ]);
    expect(await readFile(join(skillsFolder(), 'minutes/SKILL.md'), 'utf8')).toContain(
      'name: minutes\n',
    );
  });

  test('renames a folder to the name in its SKILL.md, and reports it', async () => {
    const archive = await writeArchive('download-17', pdf, 'zip');
    const [skill] = (await report(await send('validate', archive))).skills;
    expect(skill).toMatchObject({ name: 'pdf-forms', accepted: true });
    expect(skill?.diagnostics[0]).toMatchObject({ code: 'name-directory-mismatch' });
    await send('upload', archive);
    expect(await folders()).toContain('pdf-forms');
  });

  test('fixes how SKILL.md is named or linked, and reports it in every endpoint', async () => {
    const zip = rawZip([
      { name: 'z-case/skill.md', content: skillFile('z-case', 'Is in lower case.') },
      { name: 'z-link/SKILL.md', content: 'docs/main.md' },
      { name: 'z-link/docs/main.md', content: skillFile('z-link', 'Was a link.') },
    ]);
    const codes = (skills: { diagnostics: { code: string }[] }[]) =>
      skills.map(({ diagnostics }) => diagnostics.map(({ code }) => code));
    const expected = [['filename-case'], ['flattened-symlink']];
    const { skills } = await report(await send('validate', zip));
    expect(codes(skills)).toEqual(expected);
    expect(skills[0]?.diagnostics[0]?.message).toContain('skill.md');
    expect(codes((await installed(await send('upload', zip))).installed)).toEqual(expected);
    const again = await installed(await send('import?overwrite=true', zip));
    expect(codes(again.installed)).toEqual(expected);
    expect((await readdir(join(skillsFolder(), 'z-case'))).sort()).toEqual(['SKILL.md']);
  });

  test('of a bare SKILL.md is a skill, too', async () => {
    const response = await send('upload', skillFile('single', 'Alone.'), 'text/markdown');
    expect((await installed(response)).installed).toMatchObject([{ name: 'single', files: 1 }]);
  });
});

describe('rejects, and writes nothing:', () => {
  const skill = (text: string) => writeArchive('bad', [file('SKILL.md', text)], 'zip');

  test.each([
    ['no frontmatter', '# Just text\n', 'frontmatter-missing'],
    ['no description', '---\nname: bad\n---\n\nDo it.\n', 'description-missing'],
    [
      'a long description',
      `---\nname: bad\ndescription: ${'x'.repeat(1025)}\n---\n\nDo it.\n`,
      'description-too-long',
    ],
    [
      'a name that breaks the rules',
      '---\nname: Bad Name\ndescription: x\n---\n\nDo it.\n',
      'name-invalid',
    ],
    ['a device name', '---\nname: con\ndescription: x\n---\n\nDo it.\n', 'name-invalid'],
    [
      'a frontmatter that executes code',
      '---js\nprocess.exit()\n---\n\nDo it.\n',
      'frontmatter-engine-refused',
    ],
    [
      'a body of 100,000 tokens',
      `---\nname: bad\ndescription: x\n---\n\n${'word '.repeat(100_000)}`,
      'body-too-long',
    ],
  ])('%s', async (_what, text, code) => {
    const response = await send('import', await skill(text));
    expect(response.status).toBe(400);
    const problem = await parseProblem(response);
    expect(problem.issues?.map((issue) => issue.code)).toContain(code);
    expect(problem.issues?.[0]?.path).toMatch(/^bad\/SKILL\.md/);
    expect(await folders()).toEqual(['meeting-notes', 'release-notes']);
  });

  test('an invalid name can be fixed by renaming', async () => {
    const archive = await skill('---\nname: Bad Name\ndescription: x\n---\n\nDo it.\n');
    const [found] = (await report(await send('validate', archive))).skills;
    expect(found).toMatchObject({ accepted: false, renamable: true, name: 'bad-name' });
    const response = await send('import?rename=bad:good-name', archive);
    expect((await installed(response)).installed).toMatchObject([{ name: 'good-name' }]);
  });

  test('a path that leads outside (path traversal)', async () => {
    const tar = await writeArchive('bad', [...pdf, file('../../evil.txt', 'x')], 'tar.gz');
    const response = await send('import', tar, 'application/gzip');
    expect(response.status).toBe(400);
    const { code, issues } = await parseProblem(response);
    expect(code).toBe('invalid-archive');
    expect(issues?.[0]?.path).toContain('evil.txt');
    expect(await folders()).toEqual(['meeting-notes', 'release-notes']);
  });

  test('an invalid archive, and an empty body', async () => {
    expect((await send('import', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).status).toBe(400);
    expect((await send('import', new Uint8Array())).status).toBe(400);
    expect((await send('import', '{"formatVersion": 99}', 'application/json')).status).toBe(400);
  });

  test('513 MiB, before it is sent', async () => {
    const cookie = await adminCookie(server);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${server.url}/api/admin/skills/import`, {
        method: 'POST',
        headers: { 'content-length': String(513 * 1024 * 1024), cookie },
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

  test('33 MiB of no archive, bare and in a form, from a file', async () => {
    const bytes = new Uint8Array(33 * 1024 * 1024);
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'big.zip');
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    const inForm = new Uint8Array(await encoded.arrayBuffer());
    for (const response of [await send('import', bytes), await send('import', inForm, type)]) {
      expect((await parseProblem(response)).issues?.[0]?.code).toBe('unknown-format');
    }
  });

  test('a form without a file', async () => {
    const form = new FormData();
    form.append('other', 'x');
    const encoded = new Response(form);
    const response = await send(
      'import',
      new Uint8Array(await encoded.arrayBuffer()),
      encoded.headers.get('content-type') ?? '',
    );
    expect(response.status).toBe(400);
    expect((await send('import', 'x', 'multipart/form-data')).status).toBe(400);
  });
});

test('several skills are exported into one archive, and imported again', async () => {
  const exported = await admin('/api/admin/export/skills?names=meeting-notes,release-notes');
  const bytes = Buffer.from(await exported.arrayBuffer());
  const { skills } = await report(await send('validate', bytes));
  expect(skills.map(({ name, conflict }) => [name, conflict?.changes])).toEqual([
    ['meeting-notes', []],
    ['release-notes', []],
  ]);
});

test('rejects too large an archive before it fills memory', async () => {
  const names = ['heap-1', 'heap-2', 'heap-3', 'heap-4', 'heap-5'];
  for (const name of names) {
    await writeFiles(join(server.folder, 'contents/skills', name), {
      'large.bin': '',
      'SKILL.md': skillFile(name, 'Has a large file.'),
    });
    await truncate(join(server.folder, 'contents/skills', name, 'large.bin'), 15 * 1024 * 1024);
  }
  const exportOf = (some: string[]) => admin(`/api/admin/export/skills?names=${some.join(',')}`);
  await vi.waitFor(async () => expect((await exportOf(['heap-5'])).status).toBe(200), 15_000);
  expect(await parseProblem(exportOf(names))).toMatchObject({ code: 'too-large' });
});

test('members of a group get an installed skill, and lose it when it is switched off', async () => {
  await send('upload', await writeArchive('pdf-forms', pdf, 'zip'));
  const visitor = server.visitor();
  const seen = async () => (await visitor('/api/skills/pdf-forms')).status;
  expect(await seen()).toBe(200);
  await admin('/api/admin/skills/pdf-forms', { method: 'PUT', json: { enabled: false } });
  expect(await seen()).toBe(404);
});

test('JSON that is hard to parse does not block others', async () => {
  const keys = Array.from({ length: 90_000 }, (_, at) => `"${at}":1`);
  for (const body of [`{"token":"none",${keys.join(',')}}`, '['.repeat(1_000_000)]) {
    let status = 0;
    const pause = await measureLongestPause(async () => {
      ({ status } = await send('import', body, 'application/json'));
    }, processorClock);
    expect(status).toBe(400);
    expect(pause).toBeLessThan(200);
  }
});
