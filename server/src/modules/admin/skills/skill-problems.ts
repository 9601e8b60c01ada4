import { type SkillProblem, skillProblems } from '@knowhow/shared/skills/admin-skill';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { diagnoseNeeds, type Surroundings } from './diagnose-needs.ts';
import { diagnoseRuntimes } from './diagnose-runtimes.ts';
import type { SkillEntry } from './skill-entries.ts';

interface SkillProblems {
  of: (entry: SkillEntry) => readonly SkillProblem[];
  /** Number of skills with each. */
  counts: Record<SkillProblem, number>;
}

interface Known {
  config: SkillsConfig;
  environmentKey: string;
  problems: SkillProblems;
}

const cache = new WeakMap<readonly SkillEntry[], Known>();

/** Severities per skill, cached per entries, configuration and environment. */
export function getSkillProblems(
  entries: readonly SkillEntry[],
  admin: Surroundings,
): SkillProblems {
  const config = admin.contents().skills;
  const names = admin.toolNames();
  const { runner } = admin.scripts;
  const environmentKey = JSON.stringify([[...names], runner?.status, runner?.runtimes]);
  const last = cache.get(entries);
  if (last?.config === config && last.environmentKey === environmentKey) {
    return last.problems;
  }
  const problems = computeProblems(entries, { ...admin, toolNames: () => names });
  cache.set(entries, { config, environmentKey, problems });
  return problems;
}

/** Diagnostics of a skill in a list: its own, and missing needs. */
export function getSkillDiagnostics(entry: SkillEntry, admin: Surroundings): Diagnostic[] {
  const { name, skill, diagnostics } = entry;
  return [
    ...diagnostics,
    ...diagnoseNeeds({ ...skill, name }, admin),
    ...diagnoseRuntimes(skill, admin.scripts),
  ];
}

const severities = { errors: 'error', warnings: 'warning' } as const;

function computeProblems(entries: readonly SkillEntry[], admin: Surroundings): SkillProblems {
  const counts = { errors: 0, warnings: 0 };
  const found = new Map<SkillEntry, readonly SkillProblem[]>();
  for (const entry of entries) {
    const severitiesFound = new Set(
      getSkillDiagnostics(entry, admin).map(({ severity }) => severity),
    );
    const problems = skillProblems.filter((problem) => severitiesFound.has(severities[problem]));
    for (const problem of problems) {
      counts[problem] += 1;
    }
    found.set(entry, problems);
  }
  return { of: (entry) => found.get(entry) ?? [], counts };
}
