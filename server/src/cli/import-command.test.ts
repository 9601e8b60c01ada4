import { execFile } from 'node:child_process';
import { mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { createTextZip, handlerPlugin } from '../testing/foreign-skills.ts';
import { startGitServer, systemPath } from '../testing/git-server.ts';
import { runCommand } from '../testing/run-command.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';

let folder: string;

const sources: Record<string, string> = {
  ...handlerPlugin('agent-skills/letter-counter'),
  'typed/summarize.skill.md': '# Summarize\n\nSummarizes.\n\n## System Prompt\n\nSay it shortly.\n',
  'notes.txt': 'Nothing.',
};

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(folder, 'from', path)), { recursive: true });
    await writeFile(join(folder, 'from', path), text);
  }
});

const at = (path: string) => join(folder, path);

test('previews a folder of sources, and writes skills with --out', async () => {
  const looked = await runCommand(['import', at('from')], {});
  expect(looked.code).toBe(0);
  expect(looked.out).toMatch(/letter-counter +\S+ +anythingllm-plugin +letter-counter, off/);
  expect(looked.out).toMatch(/summarize +\S+ +typed-skill/);
  expect(looked.out).toMatch(/^from\/notes\.txt +in no skill's folder$/m);
  expect(looked.out).toContain('2 skills, 0 refused');
  const written = await runCommand(['import', at('from'), '--out', at('to')], {});
  expect(written.code).toBe(0);
  expect(await readFile(at('to/summarize/SKILL.md'), 'utf8')).toContain('Say it shortly.');
  const original = 'letter-counter/assets/original/handler.js';
  expect(await readFile(at(`to/${original}`), 'utf8')).toBe(
    sources['agent-skills/letter-counter/handler.js'],
  );
});

test('reads a folder that is larger than a skill may be, without files that no skill has', async () => {
  const film = await open(at('from/film.mp4'), 'w');
  await film.truncate(3 * 1024 ** 3);
  await film.close();
  const bytes = Buffer.alloc(3_900_000, 'Some words. ');
  for (let skill = 0; skill < 9; skill += 1) {
    await mkdir(at(`from/large-${skill}`));
    await writeFile(at(`from/large-${skill}/SKILL.md`), skillFile(`large-${skill}`, 'Is large.'));
    await writeFile(at(`from/large-${skill}/one.md`), bytes);
    await writeFile(at(`from/large-${skill}/two.md`), bytes);
  }
  const looked = await runCommand(['import', at('from')], {});
  expect(looked.error).toBe('');
  expect(looked.out).toContain('11 skills, 0 refused');
  expect(looked.out).toMatch(/^from\/film\.mp4 +outside of the skills, and too large to read$/m);
});

test('reads a pipe', async () => {
  await promisify(execFile)('mkfifo', [at('pipe')]);
  const writing = writeFile(at('pipe'), skillFile('letter', 'Write.'));
  const looked = await runCommand(['import', at('pipe')], {});
  await writing;
  expect(looked.out).toContain('1 skill, 0 refused');
});

test('names each file of a folder that it leaves out, with the reason', async () => {
  const letter = at('from/letter');
  await mkdir(join(letter, '.git/objects'), { recursive: true });
  const files = {
    ...{ 'SKILL.md': skillFile('letter', 'Write.'), 'scripts/run.py': 'print(1)' },
    ...{ '.git/HEAD': 'main', '.git/objects/1': '1', '.DS_Store': '1', 'run.py~': '1' },
    'forms\\invoice.md': 'An invoice.',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(letter, path)), { recursive: true });
    await writeFile(join(letter, path), text);
  }
  await symlink(at('from/notes.txt'), join(letter, 'outside.txt'));
  await symlink('nothing', join(letter, 'broken.txt'));
  await promisify(execFile)('mkfifo', [join(letter, 'pipe')]);
  const { code, out } = await runCommand(['import', at('from/letter')], {});
  expect(code).toBe(0);
  const [, leftOut = ''] = out.split('Left out:\n');
  expect(leftOut.split('\n').map((line) => line.split(/ {2,}/))).toEqual(
    expect.arrayContaining([
      ['letter/.git/ (2 files)', 'version control, packages or a cache'],
      ['letter/.DS_Store', 'left behind by a system or an editor'],
      ['letter/run.py~', 'left behind by a system or an editor'],
      ['letter/forms\\invoice.md', expect.stringContaining('a name with a back-slash')],
      ['letter/outside.txt', expect.stringContaining('a link that is not followed')],
      ['letter/broken.txt', expect.stringContaining('a link that is not followed')],
      ['letter/pipe', 'neither a file nor a folder'],
    ]),
  );
  expect(leftOut).not.toContain('SKILL.md');
});

test('names each fault of a folder that is refused', async () => {
  const zeros = Buffer.alloc(5 * 1024 * 1024);
  await mkdir(at('from/letter'));
  await writeFile(at('from/letter/SKILL.md'), skillFile('letter', 'Write.'));
  await writeFile(at('from/letter/one.bin'), zeros);
  await writeFile(at('from/letter/two.bin'), zeros);
  const { code, error } = await runCommand(['import', at('from')], {});
  expect(code).toBe(1);
  expect(error).toMatch(/^from\/letter\/one\.bin: The file is larger than 4 MiB\.$/m);
  expect(error).toMatch(/^from\/letter\/two\.bin: /m);
  expect(error).not.toContain('--help');
});

test('never overwrites existing folders', async () => {
  await mkdir(at('to/summarize'), { recursive: true });
  const { code, error } = await runCommand(['import', at('from'), '--out', at('to')], {});
  expect(code).toBe(2);
  expect(error).toContain('already');
});

test('reports rejected skills and exits with 1', async () => {
  await writeFile(at('from/agent-skills/letter-counter/plugin.json'), '{ "hubId" }');
  const { code, out } = await runCommand(['import', at('from'), '--json'], {});
  expect(code).toBe(1);
  expect(JSON.parse(out).skills).toContainEqual(
    expect.objectContaining({ name: 'letter-counter', accepted: false }),
  );
});

test('reads an archive like a folder, also for validation', async () => {
  await writeFile(at('a.zip'), createTextZip(sources));
  expect((await runCommand(['import', at('a.zip')], {})).out).toContain('2 skills, 0 refused');
  const validated = await runCommand(['validate', at('a.zip')], {});
  expect(validated.out).toContain('2 skills: 2 valid');
});

test('previews a git repository at an address, and writes its skills with --out', async () => {
  const git = await startGitServer();
  const commit = await git.commit('team', {
    'skills/pdf/SKILL.md': skillFile('pdf', 'Reads PDF. Use when asked.'),
    'skills/letters/SKILL.md': skillFile('letters', 'Writes letters. Use when asked.'),
  });
  const outbound = { allowPrivate: ['127.0.0.1'] };
  await writeFiles(at('contents'), { 'config/platform.json': { outbound } });
  const installation = () => ({
    contentsDirectory: at('contents'),
    dataDirectory: at('data'),
    skillsExtraDirectories: [],
    skillsExtraRecursive: [],
    adminPassword: undefined,
    variables: { PATH: systemPath },
    version: '1',
  });
  const address = git.url('team');
  const looked = await runCommand(['import', address], { installation });
  expect(looked.out).toContain(`Commit ${commit} of ${address}`);
  expect(looked.out).toContain('2 skills, 0 refused');
  const written = await runCommand(
    ['import', address, '--ref', 'main', '--path', 'skills/pdf', '--out', at('to')],
    { installation },
  );
  expect(written).toMatchObject({ code: 0, error: '' });
  expect(await readdir(at('to'))).toEqual(['pdf']);
  const gone = await runCommand(['import', address, '--ref', 'gone'], { installation });
  expect(gone).toMatchObject({ code: 1 });
  expect(gone.error).toContain('no branch or tag "gone"');
  const ssh = await runCommand(['import', 'git@example.com:one/two.git'], { installation });
  expect(ssh).toMatchObject({ code: 2, error: expect.stringContaining('ssh are not supported') });
});
