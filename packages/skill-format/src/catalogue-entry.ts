import { countTokens } from '@knowhow/shared/count-tokens';
import { escapeXml } from '@knowhow/shared/escape-xml';
import type { Skill } from './skill.ts';

/** Maximum tokens of an entry, as estimated by `countTokens`. */
const maxItemTokens = 200;
/** A text of this length, including tags, never exceeds that limit. */
const alwaysFits = 50;

/** A skill's data for the catalogue. */
export interface Described extends Pick<Skill, 'id' | 'description'> {
  /** Its origin, if the catalogue should show it. */
  origin?: string;
}

/** Whether a description fits into an entry of the catalogue. */
export function fitsCatalogue(skill: Described): boolean {
  const { id, description } = skill;
  return (
    description.length + id.length <= alwaysFits ||
    countTokens(catalogueEntry(skill)) <= maxItemTokens
  );
}

/** A skill's entry in the catalogue; only the name if there is no description. */
export function catalogueEntry({ id, description, origin }: Described): string {
  const described =
    description === '' ? '' : `\n    <description>${escapeXml(description)}</description>`;
  const from = origin === undefined ? '' : `\n    <source>${escapeXml(origin)}</source>`;
  return `\n  <skill>\n    <name>${escapeXml(id)}</name>${described}${from}\n  </skill>`;
}
