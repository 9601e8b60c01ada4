import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { authorPrompts } from '../skills/author-prompts.ts';

const evalsFile = /^(?:evals?|trigger[-_]?\w*(?:[-_]\w+)*)\.json$/i;
const evalsFolder = /^evals?$/i;
/** Files of prompts that are to bring up another skill, or none. */
const forOthers = /negative/i;

/**
 * What the author of a skill wrote that should bring it up: `evals.json` and files named like
 * `trigger-evals.json` in its folder, and every JSON file in its `evals/`.
 *
 * @param file the path of its `SKILL.md`
 */
export async function findPrompts(file: string): Promise<string[]> {
  const folder = dirname(file);
  const prompts: string[] = [];
  for (const path of await evalsOf(folder)) {
    const text = await readFile(path, 'utf8').catch(() => '');
    const wanted = authorPrompts(jsonIn(text)).filter(({ shouldTrigger }) => shouldTrigger);
    prompts.push(...wanted.map(({ prompt }) => prompt));
  }
  return [...new Set(prompts)];
}

async function evalsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const own = entries.filter((entry) => entry.isFile() && evalsFile.test(entry.name));
  const paths = own.map(({ name }) => join(folder, name));
  for (const { name } of entries.filter(
    (each) => each.isDirectory() && evalsFolder.test(each.name),
  )) {
    const inside = await readdir(join(folder, name), { withFileTypes: true });
    const files = inside.filter((each) => each.isFile() && /\.json$/i.test(each.name));
    paths.push(
      ...files
        .filter((each) => !forOthers.test(each.name))
        .map((each) => join(folder, name, each.name)),
    );
  }
  return paths;
}

/** What is no JSON has no prompts. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
