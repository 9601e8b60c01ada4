import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import type { BulkResult } from '@knowhow/shared/skills/skill-bulk';
import { useState } from 'react';
import { useErrorText } from '../../ui/text/use-error-text.ts';
import { useRefresh } from './use-refresh.ts';
import type { Selection } from './use-selection.ts';

export interface Failure {
  skill: AdminSkill;
  /** The error, as a sentence. */
  message: string;
}

export interface BulkProgress {
  /** Label of the action. */
  label: string;
  /** Omitted if it is a single request. */
  done?: number;
  total: number;
}

/** Runs an action on the selected skills, with progress and errors. Failed skills stay selected. */
export function useBulk(selection: Selection) {
  const refresh = useRefresh();
  const errorText = useErrorText();
  const [progress, setProgress] = useState<BulkProgress>();
  const [failures, setFailures] = useState<Failure[]>([]);

  function failureOf(skill: AdminSkill, error: unknown): Failure {
    const { title, detail } = errorText(error);
    return { skill, message: detail || title };
  }

  async function end(skills: AdminSkill[], failed: Failure[]): Promise<AdminSkill[]> {
    setProgress(undefined);
    setFailures(failed);
    selection.replace(failed.map(({ skill }) => skill));
    await refresh();
    return skills.filter((skill) => !failed.some((failure) => failure.skill === skill));
  }

  /** One after the other; an error does not stop the rest. Returns the successful ones. */
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
        failed.push(failureOf(skill, error));
      }
    }
    return end(skills, failed);
  }

  /** The same in one request. */
  async function runTogether(
    label: string,
    skills: AdminSkill[],
    deed: () => Promise<BulkResult>,
  ): Promise<AdminSkill[]> {
    if (skills.length === 0) {
      return end([], []);
    }
    setFailures([]);
    setProgress({ label, total: skills.length });
    try {
      const reasons = new Map((await deed()).failed.map(({ name, message }) => [name, message]));
      const failed = skills.flatMap((skill) => {
        const message = reasons.get(skill.name);
        return message === undefined ? [] : { skill, message };
      });
      return await end(skills, failed);
    } catch (error) {
      return end(
        skills,
        skills.map((skill) => failureOf(skill, error)),
      );
    }
  }

  return { progress, failures, run, runTogether, forget: () => setFailures([]) };
}
