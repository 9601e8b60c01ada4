import { posix } from 'node:path';
import type { FileEntry, LinkEntry, UnpackEntry } from './unpack-entry.ts';
import type { ArchiveIssue } from './unpack-faults.ts';

const maxHops = 8;

/**
 * The file that a link leads to, through other links too, if all of them stay inside the skill's
 * folder.
 *
 * @param root the skill's folder in the archive, empty for its root
 */
export function followLink(
  link: LinkEntry,
  root: string,
  entries: ReadonlyMap<string, UnpackEntry>,
): FileEntry | ArchiveIssue {
  let at = link;
  for (let hops = 0; hops < maxHops; hops += 1) {
    const path = targetPath(at);
    const isInside = path?.startsWith(root === '' ? '' : `${root}/`);
    if (path === undefined || !isInside) {
      return linkFaults.outside;
    }
    const target = entries.get(path);
    if (target?.kind !== 'link') {
      return target?.kind === 'file' ? target : linkFaults.nowhere;
    }
    at = target;
  }
  return linkFaults.circle;
}

/** Issues of links. */
export const linkFaults = {
  outside: { code: 'link-outside', message: 'The link leads out of the folder of its skill.' },
  nowhere: { code: 'link-broken', message: 'The link does not lead to a file of its skill.' },
  circle: { code: 'link-broken', message: 'The link leads over too many others, or in a circle.' },
} satisfies Record<string, ArchiveIssue>;

/** Whether a link leads out of the archive. */
export function leadsOut(link: LinkEntry): boolean {
  return targetPath(link) === undefined;
}

/** Target of a link, relative to the root of the archive; undefined if it is outside. */
function targetPath({ name, target, isHard }: LinkEntry): string | undefined {
  const path = posix.normalize(isHard ? target : posix.join(posix.dirname(name), target));
  const isOutside = posix.isAbsolute(target) || path === '..' || path.startsWith('../');
  return isOutside || target.includes('\\') ? undefined : path;
}
