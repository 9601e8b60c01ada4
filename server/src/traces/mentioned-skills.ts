import type { PreparedTurn } from '../chat/prepare-turn.ts';
import type { Records } from '../conversations/records.ts';
import { escapeXml } from '../lib/escape-xml.ts';
import type { ModelMessage } from '../models/model.ts';
import { nameFinder } from './name-finder.ts';

/** Finds which skills a message of a turn's requests mentions, so that it can be withheld later. */
export function mentionedBy({ start, records }: PreparedTurn): (message: ModelMessage) => string[] {
  const known = nameFinder(knownSkills(records, start.user.skills));
  const results = records.answers.get(start.answer.id)?.results ?? [];
  const { toolCalls } = start.answer;
  const activated = new Map(
    records.activations
      .filter(({ messageId }) => messageId === start.user.id)
      .flatMap(({ call, activation }) => (call === undefined ? [] : [[call, activation.name]])),
  );
  const ofCall = (callId: string) =>
    toolCalls.flatMap(({ id }, number) =>
      // A request gives a second name to a call whose id there was before.
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
    return [...new Set([...named, ...(message.role === 'tool' ? ofCall(message.callId) : [])])];
  };
}

/** All that the model may have read of in this conversation, the catalogue aside. */
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
      ...idsOf(named),
      ...picked,
    ]),
  ];
}

function idsOf(named: Records['named']): string[] {
  return [...named.values()].flat().map(({ id }) => id);
}

/** Ids of the skills that messages of a request name beside the catalogue. */
export function namedIn({ named }: Records, messages: readonly ModelMessage[]): string[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  const isRead = (id: string) =>
    texts.some((text) => text.includes(`<name>${escapeXml(id)}</name>`));
  return [...new Set(idsOf(named))].filter(isRead);
}
