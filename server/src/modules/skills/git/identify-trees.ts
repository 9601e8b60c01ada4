import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { ChosenFiles } from '../archives/choose-files.ts';
import { getPluginRoot } from '../archives/convertible-names.ts';
import type { TreeFile } from './read-tree.ts';

/** How many skills are identified before the event loop runs. */
const slice = 100;

/** Identifies the files of each skill of a commit, by its folder, from what git lists: no content is needed. */
export async function identifyTrees(
  skills: ReadonlyMap<string, readonly TreeFile[]>,
): Promise<Map<string, string>> {
  const trees = new Map<string, string>();
  for (const [root, files] of skills) {
    const lines = files.map(({ path, kind, executable, id }) =>
      [kind, executable, id, path.slice(root.length)].join(' '),
    );
    trees.set(root, sha256(lines.sort().join('\0')));
    if (trees.size % slice === 0) {
      await yieldToEventLoop();
    }
  }
  return trees;
}

/**
 * The skills of a commit that are known. None if files outside of skills may change what skills contain: then all are read
 * together.
 *
 * @param known what identifies the files of skills, by their folders
 */
export function findUnchanged(
  { skills, others }: Pick<ChosenFiles<TreeFile>, 'skills' | 'others'>,
  trees: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  if (!others.every(({ path }) => posix.basename(path) === 'marketplace.json')) {
    return new Map();
  }
  return new Map(
    [...trees].filter(
      ([root, tree]) => known.get(root) === tree && !skills.get(root)?.some(bringsSkills),
    ),
  );
}

/** Whether a file in a skill may bring further skills. */
function bringsSkills({ path }: TreeFile): boolean {
  return getPluginRoot(path) !== undefined || /(?:^|\/)(?:plugin\.json|handler\.js)$/.test(path);
}
