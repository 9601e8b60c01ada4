import { guessTokens } from '../lib/count-tokens.ts';
import { escapeXml } from '../lib/escape-xml.ts';
import type { VisibleSkill } from './skill-view.ts';

export interface Catalogue {
  /** The `<available_skills>` block; empty without skills. */
  text: string;
  /** How far descriptions were cut to keep the budget. */
  trimmed: 'not' | 'descriptions' | 'names-only';
}

/** Lengths to which descriptions are cut, in code points, until the block fits; 0 leaves names. */
const lengths = [1024, 400, 160, 80, 0];

/**
 * Names and descriptions of skills for the system prompt, within `budget` tokens (a guess) as far
 * as names alone allow. Every skill stays in it.
 */
export function renderCatalogue(skills: readonly VisibleSkill[], budget: number): Catalogue {
  if (skills.length === 0) {
    return { text: '', trimmed: 'not' };
  }
  for (const length of lengths) {
    const text = render(skills, length);
    if (length === 0 || guessTokens(text) <= budget) {
      return { text, trimmed: trimmedAt(length) };
    }
  }
  throw new Error('The last length always fits.');
}

function trimmedAt(length: number): Catalogue['trimmed'] {
  if (length === 0) {
    return 'names-only';
  }
  return length === lengths[0] ? 'not' : 'descriptions';
}

function render(skills: readonly VisibleSkill[], length: number): string {
  const items = skills.map(({ id, description }) => {
    const name = `    <name>${escapeXml(id)}</name>`;
    const text = `    <description>${escapeXml(shorten(description, length))}</description>`;
    return `  <skill>\n${length === 0 ? name : `${name}\n${text}`}\n  </skill>`;
  });
  return `<available_skills>\n${items.join('\n')}\n</available_skills>`;
}

function shorten(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
