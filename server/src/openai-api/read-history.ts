import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import type { OpenAiMessage } from '@knowhow/shared/chat/openai';
import { problem } from '@knowhow/shared/problem';
import { type AnswerRecord, noRecords, type Records } from '../conversations/records.ts';
import { parseJson } from '../lib/parse-json.ts';
import { uuidv7 } from '../lib/uuidv7.ts';
import { plainId, skillsInId } from './call-ids.ts';

/** A conversation that a program keeps, as a turn goes on from it. */
export interface History {
  /** What the program says to the model for all of it. */
  system: string;
  /** All before the message that is to be answered. */
  records: Records;
  message: string;
  /** What has been answered to it: the program gives the results of calls. */
  begun: BegunAnswer | undefined;
  /** Names of the skills that were active when those calls were made. */
  skills: string[];
}

export interface BegunAnswer {
  said: Pick<AssistantMessage, 'content' | 'toolCalls' | 'rounds'>;
  record: AnswerRecord;
}

interface Turn {
  words: string;
  answer: BegunAnswer | undefined;
  /** Calls of the last round without a result, by the id that the program has for them. */
  open: Map<string, number>;
  skills: string[];
}

/** Throws `invalid-request`, with the place, for what is no conversation that could be answered. */
export function readHistory(messages: readonly OpenAiMessage[]): History {
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      takeResult(message, turns.at(-1), index);
    } else if (message.role === 'user' || message.role === 'assistant') {
      refuseOpen(turns.at(-1), index);
      take(message, turns, index);
    } else {
      system.push(textOf(message.content, index));
    }
  }
  refuseOpen(turns.at(-1), messages.length - 1);
  const last = turns.at(-1);
  const lastRole = messages.findLast(({ role }) => role !== 'system' && role !== 'developer')?.role;
  if (!last || lastRole === 'assistant') {
    throw invalid(messages.length - 1, 'The last message has to be a user’s, or a tool’s.');
  }
  return {
    system: system.filter((text) => text.trim() !== '').join('\n\n'),
    records: recordsOf(turns.slice(0, -1)),
    message: last.words,
    begun: last.answer,
    skills: last.skills,
  };
}

function take(
  message: Extract<OpenAiMessage, { role: 'user' | 'assistant' }>,
  turns: Turn[],
  index: number,
): void {
  if (message.role === 'user') {
    turns.push(newTurn(textOf(message.content, index)));
    return;
  }
  if (turns.length === 0) {
    // Some let the assistant greet; no vendor takes a conversation that begins so.
    turns.push(newTurn('(The conversation begins.)'));
  }
  const turn = turns.at(-1);
  if (turn) {
    takeAnswer(message, turn, index);
  }
}

function newTurn(words: string): Turn {
  return { words, answer: undefined, open: new Map(), skills: [] };
}

function takeAnswer(
  { content, tool_calls }: Extract<OpenAiMessage, { role: 'assistant' }>,
  turn: Turn,
  index: number,
): void {
  turn.answer ??= {
    said: { content: '', toolCalls: [], rounds: [] },
    record: { results: [], states: new Map() },
  };
  const { said } = turn.answer;
  const text = textOf(content ?? '', index);
  said.content += said.content === '' || text === '' ? text : `\n\n${text}`;
  const calls = tool_calls ?? [];
  if (calls.length > 0) {
    said.rounds?.push({ end: said.content.length, calls: calls.length });
  }
  for (const { id, function: called } of calls) {
    if (turn.open.has(id)) {
      throw invalid(index, `Two calls have the id "${id}".`);
    }
    turn.open.set(id, said.toolCalls.length);
    turn.skills = skillsInId(id);
    const input = parseJson(called.arguments) ?? called.arguments;
    if (isDeeper(input, mostLevels)) {
      throw invalid(index, `The arguments of "${id}" have more than ${mostLevels} levels.`);
    }
    said.toolCalls.push({ id: plainId(id), name: called.name, input, error: false, summary: '' });
  }
}

/** As of what is sent: nothing that writes JSON gets along with thousands. */
const mostLevels = 100;

function isDeeper(value: unknown, levels: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))
  );
}

function takeResult(
  { tool_call_id: id, content }: Extract<OpenAiMessage, { role: 'tool' }>,
  turn: Turn | undefined,
  index: number,
): void {
  const number = turn?.open.get(id);
  if (!turn?.answer || number === undefined) {
    throw invalid(index, `No call with the id "${id}" comes before this result.`);
  }
  turn.open.delete(id);
  turn.answer.record.results[number] = {
    content: textOf(content, index),
    isError: false,
    skills: [],
    ms: 0,
  };
}

function refuseOpen(turn: Turn | undefined, index: number): void {
  const [id] = turn?.open.keys() ?? [];
  if (id !== undefined) {
    throw invalid(index, `The call "${id}" has no result: send one with role "tool" after it.`);
  }
}

function recordsOf(turns: readonly Turn[]): Records {
  const records = noRecords();
  const createdAt = new Date().toISOString();
  for (const { words, answer } of turns) {
    const user: Message = {
      ...{ role: 'user', id: uuidv7(), content: words, skills: [], createdAt },
    };
    records.messages.push(user);
    if (answer) {
      const id = uuidv7();
      records.answers.set(id, answer.record);
      records.messages.push({
        ...{ role: 'assistant', id, thinking: '', model: '', status: 'complete' },
        ...{ activations: [], ended: [], createdAt },
        ...answer.said,
      });
    }
  }
  return records;
}

function textOf(
  content: string | readonly { type: string; text?: unknown }[],
  index: number,
): string {
  if (typeof content === 'string') {
    return content;
  }
  return content
    .map(({ type, text }) => {
      if (type !== 'text' || typeof text !== 'string') {
        throw invalid(index, `Only text is taken: a part of type "${type}" is not supported here.`);
      }
      return text;
    })
    .join('\n');
}

function invalid(index: number, message: string) {
  const path = `messages.${index}`;
  return problem('invalid-request', `${path}: ${message}`, {
    issues: [{ path, code: 'invalid', message }],
  });
}
