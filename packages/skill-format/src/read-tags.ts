import { isTag, maxTags, normalizeTag } from '@knowhow/shared/skills/skill-tags';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { reveal } from './hidden-characters.ts';

/** Diagnostics about invalid tags. */
export const tagFaults: ReadonlySet<string> = new Set<DiagnosticCode>([
  'tags-invalid',
  'tags-too-many',
]);

/** Normalizes and deduplicates tags, and reports changes. */
export function readTags(
  written: readonly string[],
  line: number | undefined,
): { tags: readonly string[]; diagnostics: Diagnostic[] } {
  const odd = written.find((tag) => !isTag(tag));
  const all = [...new Set(written.map(normalizeTag))].filter((tag) => tag !== '');
  const diagnostics: Diagnostic[] = [];
  if (odd !== undefined) {
    const text = normalizeTag(odd) === odd ? 'tag-read' : 'tag-read-as';
    const values = { tag: shown(odd), read: shown(normalizeTag(odd)) };
    diagnostics.push(diagnose('tags-invalid', { text, values, line }));
  }
  if (all.length > maxTags) {
    const values = { number: all.length, most: maxTags };
    diagnostics.push(diagnose('tags-too-many', { text: 'tags-number', values, line }));
  }
  return { tags: all.slice(0, maxTags), diagnostics };
}

function shown(tag: string): string {
  return reveal([...tag].slice(0, 64).join(''));
}
