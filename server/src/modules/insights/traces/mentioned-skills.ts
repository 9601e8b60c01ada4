import { escapeXml } from '../../../platform/lib/escape-xml.ts';
import type { PreparedTurn } from '../../chat/prepare-turn.ts';
import type { Records } from '../../conversations/records.ts';
import type { ModelMessage } from '../../models/model.ts';
import { nameFinder } from './name-finder.ts';

/** Finds which skills a request's message mentions, so that it can be withheld later. */
export function createMentionFinder({
  start,
  records,
}: PreparedTurn): (message: ModelMessage) => string[] {
  const known = nameFinder(knownSkills(records, start.user.skills));
  const results = records.answers.get(start.answer.id)?.results ?? [];
  const { toolCalls } = start.answer;
  const activated = new Map(
    records.activations
      .filter(({ messageId }) => messageId === start.user.id)
      .flatMap(({ call, activation }) => (call === undefined ? [] : [[call, activation.name]])),
  );
  const getCallSkills = (callId: string) =>
    toolCalls.flatMap(({ id }, number) =>
      // Requests rename calls whose ID occurred before.
      callId === id || callId.startsWith(`${id}_`)
        ? [...(results[number]?.skills ?? []), ...[activated.get(number) ?? []].flat()]
        : [],
    );
  return (message) => {
    const written =
      message.role === 'assistant' && message.toolCalls.length > 0
        ? message.content + JSON.stringify(message.toolCalls)
        : message.content;
    const named = known.namesIn(written);
    return [
      ...new Set([...named, ...(message.role === 'tool' ? getCallSkills(message.callId) : [])]),
    ];
  };
}

/** All skills that the model may have read about in this conversation, apart from the catalogue. */
function knownSkills(
  { activations, answers, compactions, named, earlier }: Records,
  picked: readonly string[],
): string[] {
  const results = [...answers.values()].flatMap((answer) => answer.results);
  return [
    ...new Set([
      ...activations.map(({ activation }) => activation.name),
      ...(earlier?.skills ?? []),
      ...results.flatMap(({ skills }) => skills),
      ...compactions.flatMap(({ skills }) => skills),
      ...getIds(named),
      ...picked,
    ]),
  ];
}

function getIds(named: Records['named']): string[] {
  return [...named.values()].flat().map(({ id }) => id);
}

/** IDs of the skills that a request's messages suggest in addition to the catalogue. */
export function findSuggestedIds({ named }: Records, messages: readonly ModelMessage[]): string[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  const isMentioned = (id: string) =>
    texts.some((text) => text.includes(`<name>${escapeXml(id)}</name>`));
  return [...new Set(getIds(named))].filter(isMentioned);
}
