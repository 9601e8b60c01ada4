import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { cleanText } from './decode-text.ts';
import { diagnose } from './diagnostics.ts';
import { withoutHiddenCharacters } from './hidden-characters.ts';

interface Labels {
  category?: string | undefined;
  tags: readonly string[];
}

/**
 * Sanitizes category and tags by removing invisible characters: they are filter values, so those
 * that look the same must be the same.
 *
 * @param lineOf the line of a field
 */
export function cleanLabels<Fields extends Labels>(
  fields: Fields,
  lineOf: (field: keyof Labels) => number | undefined,
): { written: Fields; diagnostics: Diagnostic[] } {
  const { category, tags } = fields;
  const clean = (text: string) => withoutHiddenCharacters(cleanText(text)).trim();
  const cleaned = {
    category: category === undefined ? undefined : clean(category) || undefined,
    tags: tags.map(clean).filter((tag) => tag !== ''),
  };
  const changed = [
    ...(cleaned.category === category ? [] : (['category'] as const)),
    ...(cleaned.tags.join('\n') === tags.join('\n') ? [] : (['tags'] as const)),
  ];
  return {
    written: changed.length === 0 ? fields : { ...fields, ...cleaned },
    diagnostics: changed.map((field) => diagnose('hidden-characters', { line: lineOf(field) })),
  };
}
