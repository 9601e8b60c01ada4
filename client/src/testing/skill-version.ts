import type { SkillVersion } from '@knowhow/shared/skills/skill-versions';

/** A version of a skill for tests; `undefined` removes a field, as in a deletion. */
export function skillVersion(number: number, fields: Partial<SkillVersion> = {}): SkillVersion {
  return {
    number,
    created: '2026-03-15T10:00:00Z',
    author: 'Ada',
    message: '',
    action: 'file-written',
    summary: 'SKILL.md',
    origin: { kind: 'page' },
    checksum: `c${number}`,
    digest: `${number}`.repeat(64),
    files: 2,
    bytes: 2000,
    isCurrent: false,
    ...fields,
  };
}
