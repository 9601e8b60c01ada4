import type { Skill } from '@knowhow/skill-format';
import type { SkillDeprecation } from './skill-settings.ts';
import type { SkillSource } from './store/skill-source.ts';

/** A skill visible to a caller. `description` and `displayName` may be the admin's overrides. */
export interface VisibleSkill extends Skill {
  readonly priority: number;
  readonly source: SkillSource['kind'];
  /** Whether its scripts may run, if there is a runner. */
  readonly allowsScripts: boolean;
  /** Checksum of its files for which an admin has approved its scripts. */
  readonly approvedScripts: string | undefined;
  /** Its origin for models; undefined for our own skills. */
  readonly origin?: string;
  /** The admin's deprecation; see `findReplacement`. */
  readonly deprecated?: SkillDeprecation;
  /** Belongs to the caller, or to a user who shares it with the caller. */
  readonly isPersonal?: true;
  /** The name of the user who shares it with the caller. */
  readonly sharedBy?: string;
  /** The number of its version, if it is pinned or in preview instead of published. */
  readonly fixedVersion?: number;
}
