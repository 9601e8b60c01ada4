import { expect, test } from 'vitest';
import { runCommand } from '../testing/run-command.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';

const retrieval = (folder: string) => runCommand(['retrieval', folder], {});

test('measures how often the prompts of authors find their skill', async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    'one/pdf/SKILL.md': skillFile('pdf', 'Reads files.', 'Take the tables out.'),
    'one/pdf/evals/evals.json': JSON.stringify({
      evals: [{ prompt: 'Get all tables for me' }, { prompt: 'Open with pdf please' }],
    }),
    'one/pdf/evals/negative-control.json': JSON.stringify({ query: 'Bake me a large cake' }),
    // Duplicates under another name count as correct.
    'two/tables/SKILL.md': skillFile('tables', 'Is for tables.', 'Take the  tables out.'),
    // Another skill with a name that is taken does not count.
    'two/pdf/SKILL.md': skillFile('pdf', 'Get all tables for me.', 'Get all tables.'),
    'two/cake/SKILL.md': skillFile('cake', 'Bakes.', 'Bake a cake.'),
    'two/cake/trigger-evals.json': JSON.stringify([
      { query: 'Is this dough ready yet', should_trigger: true },
      { query: 'Write me a poem', should_trigger: false },
    ]),
  });
  const { code, out } = await retrieval(folder);
  expect(out).toContain('3 skills (of 4 folders');
  expect(out).toContain('3 prompts (2 say the name of the skill)');
  const row = (name: string) => out.split('\n').find((line) => line.startsWith(name));
  expect(row('recall@1 ')).toMatch(/0\.667 +0\.667$/);
  expect(row('mean reciprocal rank')).toMatch(/0\.667 +0\.667$/);
  expect(row('recall@5 where the prompt does not')).toMatch(/0\.000 +0\.000$/);
  expect(row('index per skill')).toMatch(/ kB +\d/);
  expect(code).toBe(0);
});

test('reports a folder without prompts', async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, { 'pdf/SKILL.md': skillFile('pdf', 'Reads files.') });
  const { code, error } = await retrieval(folder);
  expect(code).toBe(1);
  expect(error).toContain('none of its skills has any in evals/');
});
