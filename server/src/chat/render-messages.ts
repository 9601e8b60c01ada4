import type { EndReason } from '@knowhow/shared/chat';
import type { AssistantMessage, Message } from '@knowhow/shared/conversations';
import { guessTokens } from '../lib/count-tokens.ts';
import type { ModelMessage, ModelToolCall } from '../models/model.ts';
import { contentFor } from '../skills/render-skill-content.ts';
import type { ActivationRecord, AnswerRecord, Records, ToolRecord } from './records.ts';

interface Reader {
  /** The model's, as its file is named. */
  model: string;
  usesTools: boolean;
  /** Whether the caller sees a skill now. */
  isVisible(skill: string): boolean;
  /** Tokens that the messages may have together. */
  budget: number;
}

type UserMessage = Extract<Message, { role: 'user' }>;

/** A user's message and the answer to it. */
interface Turn {
  user: UserMessage;
  answer: AssistantMessage | undefined;
}

/**
 * What was said, with calls and results of tools, as a model gets it: what it got before comes first, in
 * the same bytes. The text of a skill is once in it, where it came in: in the result of the call or
 * before the user's words. In place of what has ended or may not be seen any more is one line that says so. The
 * oldest turns are left out when all have more than `budget` tokens; the active skills of those come first then.
 */
export function renderMessages(records: Records, reader: Reader): ModelMessage[] {
  const turns = turnsOf(records.messages);
  const activations = byMessage(records.activations);
  const turnAt = new Map(turns.map(({ user }, index) => [user.id, index]));
  const nameCall = uniqueNames();
  const rendered = turns.map(({ user, answer }, turn) => {
    const own = activations.get(user.id) ?? [];
    const source = (skill: string, number: number) =>
      records.activations.findLast(
        ({ activation, messageId, call = -1 }) =>
          activation.name === skill &&
          comesBefore([turnAt.get(messageId) ?? -1, call], [turn, number]),
      );
    return [
      { role: 'user' as const, content: wordsOf(user, own, reader) },
      ...(answer ? answerMessages(answer, { own, source, records, reader, nameCall }) : []),
    ];
  });
  const first = firstKept(rendered, reader.budget);
  const carried = turns
    .slice(0, first)
    .flatMap(({ user }) => activations.get(user.id) ?? [])
    .filter(({ end }) => !end)
    .map(({ content }) => contentFor(content, reader));
  const kept = rendered.slice(first).flat();
  return joinUsers(
    carried.length === 0 ? kept : [{ role: 'user', content: carried.join('\n\n') }, ...kept],
  );
}

function comesBefore(one: [turn: number, call: number], other: [number, number]): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
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

/** The user's words, after what came in with them. */
function wordsOf(
  { content, skills }: UserMessage,
  activations: readonly ActivationRecord[],
  reader: Reader,
): string {
  const texts = activations
    // A model that takes no tools is shown no results: what is in one comes with the message.
    .filter(({ call }) => call === undefined || !reader.usesTools)
    .map((record) => textOf(record, reader));
  const picked = skills.filter((name) => reader.isVisible(name));
  const asked =
    picked.length > 0 ? [`For this message the user asks for: ${picked.join(', ')}.`] : [];
  return [...texts, ...asked, content].filter((part) => part.trim() !== '').join('\n\n');
}

function textOf({ activation, content, end }: ActivationRecord, reader: Reader): string {
  return end ? lines[end.reason](activation.name) : contentFor(content, reader);
}

const lines: Record<EndReason, (skill: string) => string> = {
  user: (skill) =>
    `The user has ended skill "${skill}": what stood here was taken out. Go on without it.`,
  'not-available': (skill) =>
    `Skill "${skill}" is not available any more: what stood here was taken out. Go on without it.`,
  changed: (skill) =>
    `Skill "${skill}" has a newer text, which comes later: what stood here was taken out.`,
  replaced: (skill) =>
    `Skill "${skill}" was asked for again, and its text comes later: what stood here was taken out.`,
};

interface Answering {
  records: Records;
  reader: Reader;
  /** The activations of this turn. */
  own: readonly ActivationRecord[];
  /** The activation of a skill that held at a call. */
  source: (skill: string, call: number) => ActivationRecord | undefined;
  nameCall: (id: string) => string;
}

function answerMessages(answer: AssistantMessage, answering: Answering): ModelMessage[] {
  const { records, reader, nameCall } = answering;
  const { content, rounds = [], toolCalls } = answer;
  if (!reader.usesTools || rounds.length === 0) {
    return said(content);
  }
  const record = records.answers.get(answer.id);
  const messages: ModelMessage[] = [];
  let from = 0;
  let first = 0;
  for (const [number, { end, calls }] of rounds.entries()) {
    const called = toolCalls.slice(first, first + calls);
    const named = called.map(({ id, name, input }) => ({ id: nameCall(id), name, input }));
    messages.push({
      role: 'assistant',
      content: withoutBreak(content.slice(from, end)),
      toolCalls: named,
      vendorState: answer.model === reader.model ? record?.states.get(number) : undefined,
    });
    for (const [index, call] of named.entries()) {
      const result = resultAt(first + index, record, answering);
      messages.push({ role: 'tool', callId: call.id, name: call.name, ...result });
    }
    from = end;
    first += calls;
  }
  return [...messages, ...said(withoutBreak(content.slice(from)))];
}

function said(content: string): ModelMessage[] {
  return content.trim() === '' ? [] : [{ role: 'assistant', content, toolCalls: [] }];
}

/** What comes after calls of tools begins a paragraph in the chat; for the model it is a message. */
function withoutBreak(text: string): string {
  return text.startsWith('\n\n') ? text.slice(2) : text;
}

/** What a call gave, as far as it may still be seen. */
function resultAt(
  number: number,
  record: AnswerRecord | undefined,
  { own, source, reader }: Answering,
): Pick<ToolRecord, 'content' | 'isError' | 'images'> {
  const activated = own.find(({ call }) => call === number);
  if (activated) {
    return { content: textOf(activated, reader), isError: false };
  }
  const result = record?.results[number];
  if (!result) {
    return { content: 'The answer ended before this call gave anything.', isError: true };
  }
  const { content, isError, images, skills } = result;
  const hidden = skills.find((name) => !reader.isVisible(name));
  if (hidden !== undefined) {
    return { content: lines['not-available'](hidden), isError };
  }
  // A file of a skill goes with it; lists of names, which tell of several, stay.
  const [only] = skills.length === 1 ? skills : [];
  if (!isError && only !== undefined && source(only, number)?.end?.reason === 'user') {
    return { content: lines.user(only), isError };
  }
  return { content, isError, ...(images ? { images } : {}) };
}

/** Some servers number the calls of each answer anew; in one request no two may be the same. */
function uniqueNames(): (id: string) => string {
  const seen = new Map<string, number>();
  return (id) => {
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}_${times}`;
  };
}

/**
 * Which turn is the first that stays. What is left out is so much that the next turns have room: for these the
 * beginning stays as it is. The last turn stays in any case.
 */
function firstKept(turns: readonly ModelMessage[][], budget: number): number {
  const tokens = turns.map((messages) =>
    messages.reduce((sum, message) => sum + tokensOf(message), 0),
  );
  let first = 0;
  let total = 0;
  for (const [index, own] of tokens.entries()) {
    total += own;
    while (total > budget && first < index) {
      for (; first < index && total > budget / 2; first += 1) {
        total -= tokens[first] ?? 0;
      }
    }
  }
  return first;
}

/** A guess. */
function tokensOf(message: ModelMessage): number {
  const calls: readonly ModelToolCall[] = message.role === 'assistant' ? message.toolCalls : [];
  const inputs = calls.reduce((sum, { input }) => sum + (JSON.stringify(input)?.length ?? 0), 0);
  return guessTokens({ length: message.content.length + inputs });
}

/** Some vendors refuse two messages of the user in a row, as they are after a failed answer. */
function joinUsers(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      joined[joined.length - 1] = {
        role: 'user',
        content: `${last.content}\n\n${message.content}`,
      };
    } else {
      joined.push(message);
    }
  }
  return joined;
}
