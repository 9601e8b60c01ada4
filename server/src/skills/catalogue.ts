import { escapeXml } from '../lib/escape-xml.ts';
import type { VisibleSkill } from './skill-view.ts';

export interface Catalogue {
  /** The `<available_skills>` block; empty without skills. */
  text: string;
  /** How far descriptions were cut to keep the budget. */
  trimmed: 'not' | 'descriptions' | 'names-only';
  /** Skills that found no room. They can still be picked by name. */
  hidden: number;
}

/** Lengths to which descriptions are cut, in characters, until the block fits; 0 leaves names. */
const lengths = [1024, 400, 160, 80, 0];
/** Characters of an item beside its name and description. */
const nameFrame = '  <skill>\n    <name></name>\n  </skill>\n'.length;
const descriptionFrame = '    <description></description>\n'.length;
const charactersPerToken = 4;

/**
 * Names and descriptions of skills for the system prompt, within `budget` tokens (a guess). When they
 * are too many, descriptions are cut, then left out, and then only the first names stay.
 */
export function renderCatalogue(skills: readonly VisibleSkill[], budget: number): Catalogue {
  if (skills.length === 0) {
    return { text: '', trimmed: 'not', hidden: 0 };
  }
  const room = budget * charactersPerToken;
  const length = lengths.find((each) => fits(skills, each, room)) ?? 0;
  const shown = length > 0 ? skills : skills.slice(0, howManyFit(skills, room));
  const hidden = skills.length - shown.length;
  const items = shown.map((skill) => renderSkill(skill, length));
  const more =
    hidden > 0 ? [`  <!-- ${hidden} more: the user can pick them by name with "/". -->`] : [];
  return {
    text: ['<available_skills>', ...items, ...more, '</available_skills>'].join('\n'),
    trimmed: trimmedAt(length),
    hidden,
  };
}

function trimmedAt(length: number): Catalogue['trimmed'] {
  if (length === 0) {
    return 'names-only';
  }
  return length === lengths[0] ? 'not' : 'descriptions';
}

/** Stops counting where it is too much: with thousands of skills that is soon. */
function fits(skills: readonly VisibleSkill[], length: number, room: number): boolean {
  let left = room;
  return skills.every(({ id, description }) => {
    const described = length > 0 ? descriptionFrame + Math.min(description.length, length) : 0;
    left -= nameFrame + id.length + described;
    return left >= 0;
  });
}

/** At least one: a budget that is too small must not make every skill vanish. */
function howManyFit(skills: readonly VisibleSkill[], room: number): number {
  let left = room;
  const first = skills.findIndex(({ id }) => {
    left -= nameFrame + id.length;
    return left < 0;
  });
  return first < 0 ? skills.length : Math.max(1, first);
}

function renderSkill({ id, description }: VisibleSkill, length: number): string {
  const name = `    <name>${escapeXml(id)}</name>`;
  const text = `    <description>${escapeXml(shorten(description, length))}</description>`;
  return `  <skill>\n${length === 0 ? name : `${name}\n${text}`}\n  </skill>`;
}

function shorten(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
