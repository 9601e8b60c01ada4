import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, isEnabled, reveal, type Skill, type SkillSnapshot } from '../../skills/index.ts';
import { plainToolNames } from '../../tools/index.ts';
import type { SkillAdmin } from './skill-admin.ts';

type Needing = Pick<Skill, 'requiresTools' | 'dependsOn'> & { name: string };
export type Surroundings = Pick<SkillAdmin, 'contents' | 'skills' | 'toolNames' | 'scripts'>;

/**
 * Reports missing tools and dependencies of a skill. It is offered anyway.
 *
 * @param together ids of skills in the same import
 */
export function diagnoseNeeds(
  skill: Needing,
  surroundings: Surroundings,
  together: ReadonlySet<string> = new Set(),
): Diagnostic[] {
  if (skill.requiresTools.length === 0 && skill.dependsOn.length === 0) {
    return [];
  }
  const { contents, skills, toolNames } = surroundings;
  const { snapshot } = skills;
  const found = skill.dependsOn.map((name) => ({ name, skill: skillNamed(name, snapshot) }));
  const off = found.filter((each) => each.skill && !isEnabled(each.skill, contents().skills));
  const cycle = findCycle(skill, snapshot);
  return [
    ...naming('tools-missing', missingTools(skill, toolNames())),
    ...naming(
      'dependencies-missing',
      found.flatMap((each) => (each.skill || together.has(slug(each.name)) ? [] : [each.name])),
    ),
    ...naming(
      'dependencies-off',
      off.map(({ name }) => name),
    ),
    ...(cycle
      ? [
          diagnose('dependencies-circular', {
            text: 'dependencies-circle',
            values: { skills: reveal(cycle.join(' → ')) },
          }),
        ]
      : []),
  ];
}

const texts = {
  'tools-missing': 'tools-named',
  'dependencies-missing': 'dependencies-named',
  'dependencies-off': 'dependencies-off-named',
} as const;

/** One diagnostic that names them, or none. */
function naming(code: keyof typeof texts, names: readonly string[]): Diagnostic[] {
  const key = code === 'tools-missing' ? 'tools' : 'skills';
  const values = { [key]: reveal(names.join(', ')) };
  return names.length === 0 ? [] : [diagnose(code, { text: texts[code], values })];
}

function missingTools({ requiresTools }: Needing, known: ReadonlySet<string>): string[] {
  return requiresTools.filter((name) => plainToolNames([name]).some((plain) => !known.has(plain)));
}

function skillNamed(name: string, { skills }: SkillSnapshot) {
  return skills.get(name) ?? skills.get(slug(name));
}

/**
 * Maximum number of dependencies to follow: cycles are shorter, and a list has thousands of skills.
 */
const maxFollowed = 200;

/** A dependency cycle that starts and ends with this skill; undefined if there is none. */
function findCycle(skill: Needing, snapshot: SkillSnapshot): string[] | undefined {
  const start = skill.name;
  const cameFrom = new Map<string, string>();
  const queue: Pick<Needing, 'name' | 'dependsOn'>[] = [skill];
  for (let next = queue.pop(); next && cameFrom.size < maxFollowed; next = queue.pop()) {
    for (const name of next.dependsOn) {
      const needed = skillNamed(name, snapshot);
      const id = needed?.id ?? slug(name);
      if (id === start) {
        return pathTo(next.name, { start, cameFrom });
      }
      if (needed && !cameFrom.has(id)) {
        cameFrom.set(id, next.name);
        queue.push({ dependsOn: needed.dependsOn, name: id });
      }
    }
  }
  return undefined;
}

function pathTo(
  last: string,
  { start, cameFrom }: { start: string; cameFrom: ReadonlyMap<string, string> },
): string[] {
  const path = [start];
  for (let at: string | undefined = last; at !== undefined && at !== start; ) {
    path.unshift(at);
    at = cameFrom.get(at);
  }
  return [start, ...path];
}
