import type { VisibleSkill } from '../skills/index.ts';

/** The name of a skill's copy on a remote runner: a pinned version does not replace the published one. */
export function copyName({ id, fixedVersion }: Pick<VisibleSkill, 'id' | 'fixedVersion'>): string {
  return fixedVersion === undefined ? id : `${id}.v${fixedVersion}`;
}
