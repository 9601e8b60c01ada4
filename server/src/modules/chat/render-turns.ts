import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import { groupBy } from '../../platform/lib/group-by.ts';
import type { ActivationRecord, Compaction, Point, Records } from '../conversations/index.ts';
import type { ModelMessage } from '../models/index.ts';
import { contentFor, referTo } from '../skills/index.ts';
import { lastInstructions, renderInstructions } from './personal/user-instructions.ts';
import { answerMessages, type Reader, userMessage } from './turn-messages.ts';

/** A user's message and its answer. */
interface Turn {
  user: Extract<Message, { role: 'user' }>;
  answer: AssistantMessage | undefined;
}

/** The conversation as a model receives it. */
export interface RenderedTurns {
  /** Precedes the first kept turn: whatever still applies of the dropped ones. */
  head: string[];
  /** Number of dropped turns. */
  first: number;
  /** Messages of each kept turn. */
  turns: ModelMessage[][];
}

/**
 * Renders the conversation, with tool calls and results, for a model. Requests share their prefix byte for byte. A
 * skill's text appears once, where it was activated: in the call's result or before the user's words. A line replaces
 * what has ended or is no longer visible. Turns dropped by the last compaction are omitted; skills that are still
 * active then come first.
 */
export function renderTurns(records: Records, reader: Reader): RenderedTurns {
  const all = groupTurns(records.messages);
  const activations = groupBy(records.activations, ({ messageId }) => messageId);
  const notLoaded = records.earlier?.turns ?? 0;
  const turnAt = new Map(all.map(({ user }, index) => [user.id, notLoaded + index]));
  const uniqueCallId = createCallIds();
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
        ? answerMessages(answer, {
            own,
            source,
            isCleared,
            records,
            reader,
            nameCall: uniqueCallId,
          })
        : []),
    ];
  });
  const isLeftOut = (messageId: string) => (turnAt.get(messageId) ?? -1) < first;
  const carried = records.activations.filter(({ messageId }) => isLeftOut(messageId));
  const wanted = lastInstructions(records, reader.app, isLeftOut);
  return {
    head:
      first === 0 ? [] : [...renderHead(compaction, carried, reader), ...(wanted ? [wanted] : [])],
    first,
    turns,
  };
}

/** Flattens the turns into one list. */
export function joinTurns({ head, turns }: RenderedTurns): ModelMessage[] {
  const messages = turns.flat();
  return mergeUserMessages(
    head.length === 0 ? messages : [{ role: 'user', content: head.join('\n\n') }, ...messages],
  );
}

/** Replaces the dropped turns. */
function renderHead(
  compaction: Compaction | undefined,
  carried: readonly ActivationRecord[],
  reader: Reader,
): string[] {
  const { summary, skills = [] } = compaction ?? {};
  const isWhole = summary !== undefined && skills.every((name) => reader.isVisible(name));
  const note = isWhole
    ? `Older messages of this conversation are omitted. This is a summary of them:\n\n${summary}`
    : 'Older messages of this conversation are omitted because they do not fit.';
  return [note, ...carriedTexts(carried, reader)];
}

/** Includes texts within the budget, newest first, in their original order; the others are listed by name. */
function carriedTexts(carried: readonly ActivationRecord[], reader: Reader): string[] {
  let budget = reader.skillTokenBudget;
  return carried
    .filter(({ end }) => !end)
    .reverse()
    .map(({ activation, content }) => {
      budget -= activation.tokens;
      return contentFor(budget >= 0 ? content : referTo(activation), reader);
    })
    .reverse();
}

function comesBefore(one: Point, other: Point): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.call < other.call);
}

function groupTurns(messages: readonly Message[]): Turn[] {
  return messages.flatMap((user, index) => {
    const answer = messages[index + 1];
    return user.role === 'user'
      ? [{ user, answer: answer?.role === 'assistant' ? answer : undefined }]
      : [];
  });
}

/** Some servers restart the numbering of calls with each answer; IDs must be unique within a request. */
function createCallIds(): (id: string) => string {
  const seen = new Map<string, number>();
  return (id) => {
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}_${times}`;
  };
}

/** Some vendors reject consecutive user messages, which occur after a failed answer. */
function mergeUserMessages(messages: readonly ModelMessage[]): ModelMessage[] {
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
