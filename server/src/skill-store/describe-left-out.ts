import type { LeftOut, ScanLimits } from './scan-limits.ts';

/** A sentence for each limit beyond which folders of a source lie: how many, and what to do. */
export function describeLeftOut(
  directory: string,
  { tooDeep, tooMany }: LeftOut,
  { maxDepth, maxFolders }: ScanLimits,
): string[] {
  return [
    ...(tooDeep > 0
      ? [
          `${wereNot(tooDeep)} looked into in ${directory}: deeper than ${maxDepth} levels. Move the skills up, or set SKILLS_MAX_DEPTH higher.`,
        ]
      : []),
    ...(tooMany > 0
      ? [
          `${wereNot(tooMany)} looked into in ${directory}, nor what is in them: there are more than ${maxFolders}. Name smaller folders, or set SKILLS_MAX_FOLDERS higher.`,
        ]
      : []),
  ];
}

function wereNot(count: number): string {
  return count === 1 ? '1 folder was not' : `${count} folders were not`;
}
