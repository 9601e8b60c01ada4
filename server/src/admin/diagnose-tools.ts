import type { Diagnostic } from '@knowhow/shared/skills';
import { diagnose, reveal, type Skill } from '../skill-format/skill-format.ts';
import { toolNames } from '../tools/run-tool.ts';

/** The tools that a skill requires and that are not available: one diagnostic that names them, or none. */
export function diagnoseTools({ requiresTools }: Skill): Diagnostic[] {
  const missing = requiresTools.filter((name) => !toolNames.has(name));
  if (missing.length === 0) {
    return [];
  }
  const values = { tools: reveal(missing.join(', ')) };
  return [diagnose('tools-missing', { text: 'tools-named', values })];
}
