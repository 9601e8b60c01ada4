import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import type { ActivationRecord, Compaction, Point, Records } from '../conversations/records.ts';
import type { ModelMessage } from '../models/model.ts';
import { contentFor, referTo } from '../skills/render-skill-content.ts';
import { lastInstructions, renderInstructions } from './personal/user-instructions.ts';
import { answerMessages, type Reader, userMessage } from './render-turn.ts';

/** A user's message and the answer to it. */
interface Turn {
  user: Extract<Message, { role: 'user' }>;
  answer: AssistantMessage | undefined;
}

/** What was said, as a model gets it. */
export interface RenderedTurns {
  /** What comes before the first turn that is kept: of those left out, what still holds. */
  head: string[];
  /** How many are left out. */
  first: number;
  /** The messages of each turn that is kept. */
  turns: ModelMessage[][];
}

/**
 * What was said, with calls and results of tools, as a model gets it: what it got before comes first, in
 * the same bytes. The text of a skill is once in it, where it came in: in the result of the call or
 * before the user's words. In place of what has ended or may not be seen any more is one line that says so.
 * What the last compaction leaves out is left out; the skills that are still active come first then.
 */
export function renderTurns(records: Records, reader: Reader): RenderedTurns {
  const all = turnsOf(records.messages);
  const activations = byMessage(records.activations);
  const notLoaded = records.earlier?.turns ?? 0;
  const turnAt = new Map(all.map(({ user }, index) => [user.id, notLoaded + index]));
  const nameCall = uniqueNames();
  const compaction = records.compactions.at(-1);
  const first = Math.min(compaction?.keptFrom ?? 0, Math.max(0, notLoaded + all.length - 1));
  const cleared = compaction?.cleared ?? { turn: 0, call: 0 };
  const turns = all.slice(first - notLoaded).map(({ user, answer }, index) => {
    const turn = first + index;
    const own = activations.get(user.id) ?? [];
    const named = records.named.get(user.id) ?? [];
    const source = (skill: string, call: number) =>
      records.activations.findLast(
        ({ activation, messageId, call: at = -1 }) =>
          activation.name === skill &&
          comesBefore({ turn: turnAt.get(messageId) ?? -1, call: at }, { turn, call }),
      );
    const isCleared = (call: number) => comesBefore({ turn, call }, cleared);
    const instructions = renderInstructions(records, user.id, reader.app);
    const cameWith = { instructions, activations: own, named, attached: records.attached };
    return [
      userMessage(user, cameWith, reader),
      ...(answer
        ? answerMessages(answer, { own, source, isCleared, records, reader, nameCall })
        : []),
    ];
  });
  const isLeftOut = (messageId: string) => (turnAt.get(messageId) ?? -1) < first;
  const carried = records.activations.filter(({ messageId }) => isLeftOut(messageId));
  const wanted = lastInstructions(records, reader.app, isLeftOut);
  return {
    head: first === 0 ? [] : [...headOf(compaction, carried, reader), ...(wanted ? [wanted] : [])],
    first,
    turns,
  };
}

/** The same as one list. */
export function joinTurns({ head, turns }: RenderedTurns): ModelMessage[] {
  const messages = turns.flat();
  return joinUsers(
    head.length === 0 ? messages : [{ role: 'user', content: head.join('\n\n') }, ...messages],
  );
}

/** What stands in place of the turns that are left out. */
function headOf(
  compaction: Compaction | undefined,
  carried: readonly ActivationRecord[],
  reader: Reader,
): string[] {
  const { summary, skills = [] } = compaction ?? {};
  const isWhole = summary !== undefined && skills.every((name) => reader.isVisible(name));
  const note = isWhole
    ? `The older messages of this conversation are left out here. This is a summary of them:\n\n${summary}`
    : 'The older messages of this conversation are left out here, as there is no room for them.';
  return [note, ...carriedTexts(carried, reader)];
}

/** The newest as long as there is room, in the order in which they came; the others by name. */
function carriedTexts(carried: readonly ActivationRecord[], reader: Reader): string[] {
  let room = reader.skillRoom;
  return carried
    .filter(({ end }) => !end)
    .reverse()
    .map(({ activation, content }) => {
      room -= activation.tokens;
      return contentFor(room >= 0 ? content : referTo(activation), reader);
    })
    .reverse();
}

function comesBefore(one: Point, other: Point): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.call < other.call);
}

function turnsOf(messages: readonly Message[]): Turn[] {
  return messages.flatMap((user, index) => {
    const answer = messages[index + 1];
    return user.role === 'user'
      ? [{ user, answer: answer?.role === 'assistant' ? answer : undefined }]
      : [];
  });
}

function byMessage(activations: readonly ActivationRecord[]): Map<string, ActivationRecord[]> {
  const found = new Map<string, ActivationRecord[]>();
  for (const record of activations) {
    const known = found.get(record.messageId);
    if (known) {
      known.push(record);
    } else {
      found.set(record.messageId, [record]);
    }
  }
  return found;
}

/** Some servers begin to number the calls with each answer; in one request no two may be the same. */
function uniqueNames(): (id: string) => string {
  const seen = new Map<string, number>();
  return (id) => {
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}_${times}`;
  };
}

/** Some vendors refuse two messages of the user in a row, as they are after a failed answer. */
function joinUsers(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      const images = [...(last.images ?? []), ...(message.images ?? [])];
      joined[joined.length - 1] = {
        role: 'user',
        content: `${last.content}\n\n${message.content}`,
        ...(images.length > 0 ? { images } : {}),
      };
    } else {
      joined.push(message);
    }
  }
  return joined;
}
