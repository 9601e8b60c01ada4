import { countTokens } from '../lib/count-tokens.ts';
import { escapeXml } from '../lib/escape-xml.ts';
import type { Skill } from './skill.ts';

/** Tokens of an entry at most, as `countTokens` estimates them. */
const maxItemTokens = 200;
/** No text of so many characters, with its tags, has more tokens than that. */
const surelyShort = 50;

/** What the catalogue says of a skill. */
export interface Described extends Pick<Skill, 'id' | 'description'> {
  /** Where it comes from, if the catalogue is to say it. */
  origin?: string;
}

/** Whether a description has room in the catalogue, however few skills there are. */
export function fitsCatalogue(skill: Described): boolean {
  const { id, description } = skill;
  return (
    description.length + id.length <= surelyShort ||
    countTokens(catalogueEntry(skill)) <= maxItemTokens
  );
}

/** A skill as the catalogue names it; by its name alone without a description. */
export function catalogueEntry({ id, description, origin }: Described): string {
  const described =
    description === '' ? '' : `\n    <description>${escapeXml(description)}</description>`;
  const from = origin === undefined ? '' : `\n    <source>${escapeXml(origin)}</source>`;
  return `\n  <skill>\n    <name>${escapeXml(id)}</name>${described}${from}\n  </skill>`;
}
