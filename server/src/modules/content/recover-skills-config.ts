import { isRecord } from '@knowhow/shared/is-record';
import {
  type SkillsConfig,
  skillBlockSchema,
  skillSettingsSchema,
} from '@knowhow/shared/skills/skills-config';
import type { JsonFile } from './read-json-file.ts';

type Publishing = SkillsConfig['settings']['publishing'];

/** Recovers what protects skills from a broken `skills.json`, so that a mistake in it does not end the protection. */
export function recoverSkillsConfig(file: JsonFile<unknown>, defaults: SkillsConfig): SkillsConfig {
  const raw = file.state === 'good' && isRecord(file.value) ? file.value : undefined;
  const publishing = recoverPublishing(raw);
  return {
    ...defaults,
    blocked: recoverBlocks(raw),
    settings: { ...defaults.settings, publishing },
  };
}

/** A block that is wrong still blocks its skill; its reason is unknown. */
function recoverBlocks(raw: Record<string, unknown> | undefined): SkillsConfig['blocked'] {
  const blocked = isRecord(raw?.blocked) ? raw.blocked : {};
  return Object.fromEntries(
    Object.entries(blocked).map(([id, block]) => [
      id,
      skillBlockSchema.safeParse(block).data ?? { reason: unknownReason, tellUsers: false },
    ]),
  );
}

const unknownReason = 'The reason in config/skills.json cannot be read.';

/** The policy as configured. If it cannot be read, another person has to approve each change, also in the file system. */
function recoverPublishing(raw: Record<string, unknown> | undefined): Publishing {
  const schema = skillSettingsSchema.shape.publishing;
  const isLeftOut = raw && (raw.settings === undefined || isRecord(raw.settings));
  const written = isRecord(raw?.settings) ? raw.settings.publishing : undefined;
  const known = isLeftOut ? schema.safeParse(written).data : undefined;
  return known ?? schema.parse({ mode: 'review', fourEyes: true, files: 'review' });
}
