import { problem } from '@knowhow/shared/problem';
import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { getSkillSettings } from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';

type Dependencies = Pick<SkillAdmin, 'contents' | 'skills'>;

/** The deprecation of a skill; without a successor that no longer exists. */
export function deprecationField(
  name: string,
  { contents, skills }: Dependencies,
): Pick<AdminSkill, 'deprecated'> {
  const deprecated = getSkillSettings(name, contents().skills)?.deprecated;
  if (!deprecated) {
    return {};
  }
  const { successor, note } = deprecated;
  const exists = successor !== undefined && skills.snapshot.skills.has(successor);
  return {
    deprecated: {
      ...(exists ? { successor } : {}),
      ...(note === undefined ? {} : { note }),
    },
  };
}

/** Throws `invalid-request` for a successor that does not exist, or that leads back to the skill. */
export function checkSuccessor(
  { contents, skills }: Dependencies,
  name: string,
  { deprecated }: { deprecated?: { successor?: string | undefined } | null | undefined },
): void {
  const successor = deprecated?.successor;
  if (successor === undefined) {
    return;
  }
  if (!skills.snapshot.skills.has(successor)) {
    throw badSuccessor('unknown', `There is no skill "${successor}".`);
  }
  if (successor === name) {
    throw badSuccessor('same', 'A skill cannot succeed itself.');
  }
  const seen = new Set([name]);
  for (let next: string | undefined = successor; next !== undefined; ) {
    if (seen.has(next)) {
      const message = `Skill "${successor}" is deprecated in favour of "${name}", directly or through other skills.`;
      throw badSuccessor('cycle', message);
    }
    seen.add(next);
    next = getSkillSettings(next, contents().skills)?.deprecated?.successor;
  }
}

function badSuccessor(code: string, message: string) {
  return problem('invalid-request', `${message} Choose another successor, or none.`, {
    issues: [{ path: 'deprecated.successor', code, message }],
  });
}
