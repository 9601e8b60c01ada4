import { posix } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose } from '@knowhow/skill-format';
import type { RejectedFiles } from '../archives/unpack-skills.ts';
import { makeSkill, type SourceSkill } from './make-skill.ts';

/**
 * A placeholder for a source that cannot be imported, so that its error is shown among the others.
 */
export function createRejectedSource(root: string, fault: Diagnostic): SourceSkill {
  const name = posix.basename(root) || 'source';
  return makeSkill({
    root,
    name,
    description: `What is at ${name}, which cannot be imported.`,
    body: '',
    originals: [],
    diagnostics: [fault],
    origin: { kind: 'plugin', name, mapped: [], left: [], off: true },
  });
}

/** Only its `SKILL.md`, with the reason, so that it is listed with its name and description. */
export function createRejectedSkill({ root, main, reason }: RejectedFiles): SourceSkill {
  const fault = diagnose('files-refused', { values: { reason } });
  if (!main) {
    return createRejectedSource(root, fault);
  }
  const files = [{ path: 'SKILL.md', bytes: main, executable: false }];
  return { root, folder: posix.basename(root) || 'skill', files, diagnostics: [fault] };
}
