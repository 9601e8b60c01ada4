import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { handlerPlugin, zipOf } from '../testing/foreign-skills.ts';
import { runCommand } from '../testing/run-command.ts';
import { temporaryFolder } from '../testing/write-files.ts';

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
  expect(looked.out).toContain('left out: from/notes.txt (no-skill)');
  expect(looked.out).toContain('2 skills, 0 refused');
  const written = await runCommand(['import', at('from'), '--out', at('to')], {});
  expect(written.code).toBe(0);
  expect(await readFile(at('to/summarize/SKILL.md'), 'utf8')).toContain('Say it shortly.');
  const original = 'letter-counter/assets/original/handler.js';
  expect(await readFile(at(`to/${original}`), 'utf8')).toBe(
    sources['agent-skills/letter-counter/handler.js'],
  );
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
  await writeFile(at('a.zip'), zipOf(sources));
  expect((await runCommand(['import', at('a.zip')], {})).out).toContain('2 skills, 0 refused');
  const validated = await runCommand(['validate', at('a.zip')], {});
  expect(validated.out).toContain('2 skills: 2 valid');
});
