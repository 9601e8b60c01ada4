import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isEvalsFile, promptsIn } from '../modules/skills/author-prompts.ts';
import { parseJson } from '../platform/lib/parse-json.ts';

/**
 * Prompts that should trigger a skill, from its `evals/` and files like `trigger-evals.json`.
 *
 * @param file path of its `SKILL.md`
 */
export async function findPrompts(file: string): Promise<string[]> {
  const folder = dirname(file);
  const prompts = new Set<string>();
  for (const path of await evalsOf(folder)) {
    const text = await readFile(join(folder, path), 'utf8').catch(() => '');
    for (const { prompt, shouldTrigger } of promptsIn(path, parseJson(text))) {
      if (shouldTrigger) {
        prompts.add(prompt);
      }
    }
  }
  return [...prompts];
}

async function evalsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths: string[] = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const { name } of entries.filter(
    (each) => each.isDirectory() && /^evals?$/i.test(each.name),
  )) {
    const inside = await readdir(join(folder, name), { withFileTypes: true });
    paths.push(...inside.filter((each) => each.isFile()).map((each) => `${name}/${each.name}`));
  }
  return paths.filter(isEvalsFile);
}
