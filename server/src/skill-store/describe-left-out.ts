import type { LeftOut, ScanLimits } from './scan-limits.ts';

/** Sentences for each limit beyond which folders of a source lie: how many, and what to do. */
export function describeLeftOut(
  { tooDeep, tooMany }: LeftOut,
  { maxDepth, maxFolders }: ScanLimits,
): string[] {
  return [
    ...(tooDeep > 0
      ? [
          `${wereNot(tooDeep)} looked into: deeper than ${counted(maxDepth, 'level')}. Move the skills up, or set SKILLS_MAX_DEPTH higher.`,
        ]
      : []),
    ...(tooMany > 0
      ? [
          `${wereNot(tooMany)} looked into, nor what is in them: there are more than ${counted(maxFolders, 'folder')}. Name smaller folders, or set SKILLS_MAX_FOLDERS higher.`,
        ]
      : []),
  ];
}

function wereNot(count: number): string {
  return `${counted(count, 'folder')} ${count === 1 ? 'was' : 'were'} not`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
