import { type SkillProblem, skillProblems } from '@knowhow/shared/skills/admin-skill';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { diagnoseNeeds, type Surroundings } from '../diagnose-needs.ts';
import { diagnoseRuntimes } from '../diagnose-runtimes.ts';
import type { SkillEntry } from '../skill-entries.ts';

interface SkillProblems {
  of: (entry: SkillEntry) => readonly SkillProblem[];
  /** How many skills have each. */
  counts: Record<SkillProblem, number>;
}

interface Known {
  config: SkillsConfig;
  around: string;
  problems: SkillProblems;
}

const known = new WeakMap<readonly SkillEntry[], Known>();

/** What is wrong with which skill: worked out once for skills, a configuration and what surrounds them. */
export function problemsOf(entries: readonly SkillEntry[], admin: Surroundings): SkillProblems {
  const config = admin.contents().skills;
  const names = admin.toolNames();
  const { runner } = admin.scripts;
  const around = JSON.stringify([[...names], runner?.status, runner?.runtimes]);
  const last = known.get(entries);
  if (last?.config === config && last.around === around) {
    return last.problems;
  }
  const problems = lookThrough(entries, { ...admin, toolNames: () => names });
  known.set(entries, { config, around, problems });
  return problems;
}

/** What there is to say of a skill in a list: of itself, and of what it needs and does not have here. */
export function diagnosticsOf(entry: SkillEntry, admin: Surroundings): Diagnostic[] {
  const { name, skill, diagnostics } = entry;
  return [
    ...diagnostics,
    ...diagnoseNeeds({ ...skill, name }, admin),
    ...diagnoseRuntimes(skill, admin.scripts),
  ];
}

const severities = { errors: 'error', warnings: 'warning' } as const;

function lookThrough(entries: readonly SkillEntry[], admin: Surroundings): SkillProblems {
  const counts = { errors: 0, warnings: 0 };
  const found = new Map<SkillEntry, readonly SkillProblem[]>();
  for (const entry of entries) {
    const there = new Set(diagnosticsOf(entry, admin).map(({ severity }) => severity));
    const problems = skillProblems.filter((problem) => there.has(severities[problem]));
    for (const problem of problems) {
      counts[problem] += 1;
    }
    found.set(entry, problems);
  }
  return { of: (entry) => found.get(entry) ?? [], counts };
}
