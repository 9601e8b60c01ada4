import type { Diagnostic } from '@knowhow/shared/skills';
import { diagnose, reveal, type Skill } from '../skill-format/skill-format.ts';
import { toolNames } from '../tools/run-tool.ts';

/** The tools that a skill requires and that are not available: one diagnostic that names them, or none. */
export function diagnoseTools({ requiresTools }: Skill): Diagnostic[] {
  const missing = requiresTools.filter((name) => !toolNames.has(name));
  if (missing.length === 0) {
    return [];
  }
  const message = `The skill requires tools that are not available here: ${reveal(missing.join(', '))}. It is offered anyway.`;
  return [diagnose('tools-missing', { message })];
}
