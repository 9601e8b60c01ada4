import type { AdminSkill } from '@knowhow/shared/admin-skill';
import { useState } from 'react';
import { useRefresh } from './use-refresh.ts';
import type { Selection } from './use-selection.ts';

export interface Failure {
  skill: AdminSkill;
  error: unknown;
}

export interface BulkProgress {
  /** What is being done. */
  label: string;
  done: number;
  total: number;
}

/**
 * Does something to chosen skills, one after the other, and tells how far it is and what failed.
 * Those it failed for stay chosen.
 */
export function useBulk(selection: Selection) {
  const refresh = useRefresh();
  const [progress, setProgress] = useState<BulkProgress>();
  const [failures, setFailures] = useState<Failure[]>([]);

  /** Gives those it worked for. A failure stops nothing. */
  async function run(
    label: string,
    skills: AdminSkill[],
    deed: (skill: AdminSkill) => Promise<unknown>,
  ): Promise<AdminSkill[]> {
    const failed: Failure[] = [];
    setFailures([]);
    for (const [done, skill] of skills.entries()) {
      setProgress({ label, done, total: skills.length });
      try {
        await deed(skill);
      } catch (error) {
        failed.push({ skill, error });
      }
    }
    setProgress(undefined);
    setFailures(failed);
    selection.replace(failed.map(({ skill }) => skill));
    await refresh();
    return skills.filter((skill) => !failed.some((failure) => failure.skill === skill));
  }

  return { progress, failures, run, forget: () => setFailures([]) };
}
