import { shortenText } from '../lib/shorten-text.ts';
import { catalogueEntry, fitsCatalogue } from '../skill-format/skill-format.ts';
import type { VisibleSkill } from '../skills/skill-view.ts';

/** Skills as a catalogue has them, the text of none longer than there. */
export function describeFound(skills: readonly VisibleSkill[]): string {
  const entries = skills.map(({ id, description }) => {
    const text = shortenText(description, (part) => fitsCatalogue({ id, description: part }));
    return catalogueEntry({ id, description: text });
  });
  return ['<available_skills>', ...entries, '\n</available_skills>'].join('');
}
