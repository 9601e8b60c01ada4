import { activeSkillsOf, type NamedSkill, type Records } from '../conversations/records.ts';
import { countTokens } from '../lib/count-tokens.ts';
import { cataloguedDescription, catalogueOf } from '../skills/catalogue.ts';
import type { VisibleSkill } from '../skills/skill-view.ts';
import { windowIn } from './correct-estimate.ts';
import { isRouted, type TurnAccess } from './turn-access.ts';

/** So many of the skills that fit a message best are brought up by it. */
const mostBroughtUp = 5;
/** What fits less, against the best, has no more than a common word of it. */
const leastOfBest = 1 / 3;
/** More are not looked through for those that a model may pick. */
const mostRanked = 20;
const mostTokens = 1000;
/** Of what a request may have. */
const largestShare = 1 / 20;

/**
 * The skills to name with a message, with whole descriptions: those it brings up that the model does not know
 * yet, neither from a ranked catalogue nor from a message before that it still reads, nor as they are active.
 *
 * @param records of the conversation, without this message
 */
export async function suggestSkillsForMessage(
  { message, picked }: { message: string; picked: readonly string[] },
  records: Records,
  access: TurnAccess,
): Promise<NamedSkill[]> {
  const { view, isRanked, isUnlisted } = access.offered();
  // The catalogue itself goes by the first message; what a request of its own chooses from is ranked for it.
  if (!isRanked || records.messages.length === 0 || isRouted(picked, access)) {
    return [];
  }
  const known = namedBefore(records);
  const active = activeSkillsOf(records);
  const isNew = ({ id }: VisibleSkill) => isUnlisted(id) && !known.has(id) && !active.has(id);
  const { request } = windowIn(records, access);
  let room = Math.min(mostTokens, request * largestShare);
  await view.understand(message);
  const ranked = view.rank(message, mostRanked);
  const least = (ranked[0]?.score ?? 0) * leastOfBest;
  return ranked
    .filter(({ score }) => score >= least)
    .map(({ skill }) => skill)
    .filter(({ modelInvocable }) => modelInvocable)
    .slice(0, mostBroughtUp)
    .filter(isNew)
    .filter((skill) => {
      const tokens = countTokens(catalogueOf([skill]));
      const fits = tokens <= room;
      room -= fits ? tokens : 0;
      return fits;
    })
    .map((skill) => ({ id: skill.id, description: cataloguedDescription(skill) }));
}

/** Ids of the skills that messages name which are not left out. */
function namedBefore({ messages, compactions, named, earlier }: Records): ReadonlySet<string> {
  const asked = messages.filter(({ role }) => role === 'user');
  const read = asked.slice((compactions.at(-1)?.keptFrom ?? 0) - (earlier?.turns ?? 0));
  return new Set(read.flatMap(({ id }) => (named.get(id) ?? []).map((skill) => skill.id)));
}
