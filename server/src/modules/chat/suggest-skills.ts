import { countTokens } from '../../platform/lib/count-tokens.ts';
import { getActiveSkills, type Records, type SuggestedSkill } from '../conversations/records.ts';
import { cataloguedDescription, renderFullCatalogue } from '../skills/catalogue.ts';
import type { VisibleSkill } from '../skills/skill-view.ts';
import { calibratedWindow } from './calibrated-window.ts';
import { isRouted, type TurnAccess } from './turn-access.ts';

/** Maximum number of skills suggested for a message. */
const maxSuggested = 5;
/** Minimum score relative to the best; lower matches share only a common word. */
const minRelativeScore = 1 / 3;
/** Maximum number of ranked skills searched for ones that a model may pick. */
const maxRanked = 20;
const maxTokens = 1000;
/** Maximum share of the request's token budget. */
const maxShare = 1 / 20;

/**
 * Suggests skills for a message, with full descriptions. Skips those the model already knows: from the ranked
 * catalogue, an earlier message that it still reads, or because they are active.
 *
 * @param records of the conversation, without this message
 */
export async function suggestSkillsForMessage(
  { message, picked }: { message: string; picked: readonly string[] },
  records: Records,
  access: TurnAccess,
): Promise<SuggestedSkill[]> {
  const { view, isRanked, isUnlisted } = access.offered();
  // The catalogue is ranked by the first message, and a skill router ranks for each message.
  if (!isRanked || records.messages.length === 0 || isRouted(picked, access)) {
    return [];
  }
  const known = previouslySuggested(records);
  const active = getActiveSkills(records);
  const isNew = ({ id }: VisibleSkill) => isUnlisted(id) && !known.has(id) && !active.has(id);
  const { request } = calibratedWindow(records, access);
  let budget = Math.min(maxTokens, request * maxShare);
  await view.understand(message);
  const ranked = view.rank(message, maxRanked);
  const minScore = (ranked[0]?.score ?? 0) * minRelativeScore;
  return ranked
    .filter(({ score }) => score >= minScore)
    .map(({ skill }) => skill)
    .filter(({ modelInvocable }) => modelInvocable)
    .slice(0, maxSuggested)
    .filter(isNew)
    .filter((skill) => {
      const tokens = countTokens(renderFullCatalogue([skill]));
      const fits = tokens <= budget;
      budget -= fits ? tokens : 0;
      return fits;
    })
    .map((skill) => ({ id: skill.id, description: cataloguedDescription(skill) }));
}

/** IDs of the skills suggested by messages that are still in the context. */
function previouslySuggested({
  messages,
  compactions,
  named,
  earlier,
}: Records): ReadonlySet<string> {
  const asked = messages.filter(({ role }) => role === 'user');
  const read = asked.slice((compactions.at(-1)?.keptFrom ?? 0) - (earlier?.turns ?? 0));
  return new Set(read.flatMap(({ id }) => (named.get(id) ?? []).map((skill) => skill.id)));
}
