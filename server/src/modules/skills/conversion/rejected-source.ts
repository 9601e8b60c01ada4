import { posix } from 'node:path';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
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
