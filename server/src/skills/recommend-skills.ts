import { escapeXml } from '../lib/escape-xml.ts';
import { shortenText } from '../lib/shorten-text.ts';
import type { VisibleSkill } from './skill-view.ts';

/** Characters that the names and descriptions may have together. */
const budget = 5000;

interface Recommended {
  /** The `<recommended_skills>` block; empty without skills. */
  text: string;
  /** Ids of the skills in it. */
  names: ReadonlySet<string>;
}

/**
 * The whole descriptions of skills that an app wants its model to know in any case, also of those for which
 * the catalogue has no room. Over the budget the last is shortened and those behind it are left out.
 *
 * @param skills the most important first
 */
export function recommendSkills(skills: readonly VisibleSkill[]): Recommended {
  const items: string[] = [];
  const names = new Set<string>();
  let left = budget;
  for (const { id, description } of skills) {
    const room = left - id.length;
    const text = room > 0 ? shortenText(description, (part) => part.length <= room) : '';
    if (text === '') {
      break;
    }
    left = text === description ? room - text.length : 0;
    names.add(id);
    items.push(
      `\n  <skill>\n    <name>${escapeXml(id)}</name>\n    <description>${escapeXml(text)}</description>\n  </skill>`,
    );
  }
  const text =
    items.length === 0 ? '' : `<recommended_skills>${items.join('')}\n</recommended_skills>`;
  return { text, names };
}
