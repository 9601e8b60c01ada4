import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import type { OpenAiMessage } from '@knowhow/shared/chat/openai';
import { problem } from '@knowhow/shared/problem';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import { uuidv7 } from '../../../platform/lib/uuidv7.ts';
import { type AnswerRecord, emptyRecords, type Records } from '../../conversations/index.ts';
import { decodeSkills, plainId } from './call-ids.ts';

/** A conversation that the client keeps, in the form that a turn continues from. */
export interface History {
  /** The client's system prompt. */
  system: string;
  /** Everything before the message to answer. */
  records: Records;
  message: string;
  /** The answer so far, if the client sends results of calls. */
  begun: PartialAnswer | undefined;
  /** Names of the skills that were active when those calls were made. */
  skills: string[];
}

export interface PartialAnswer {
  said: Pick<AssistantMessage, 'content' | 'toolCalls' | 'rounds'>;
  record: AnswerRecord;
}

interface Turn {
  words: string;
  answer: PartialAnswer | undefined;
  /** Calls of the last round without a result, by the client's call ID. */
  open: Map<string, number>;
  skills: string[];
}

/** Throws `invalid-request`, with the position, for a conversation that cannot be answered. */
export function readHistory(messages: readonly OpenAiMessage[]): History {
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      addResult(message, turns.at(-1), index);
    } else if (message.role === 'user' || message.role === 'assistant') {
      rejectOpenCalls(turns.at(-1), index);
      addMessage(message, turns, index);
    } else {
      system.push(joinText(message.content, index));
    }
  }
  rejectOpenCalls(turns.at(-1), messages.length - 1);
  const last = turns.at(-1);
  const lastRole = messages.findLast(({ role }) => role !== 'system' && role !== 'developer')?.role;
  if (!last || lastRole === 'assistant') {
    throw invalid(messages.length - 1, 'The last message must have the role "user" or "tool".');
  }
  return {
    system: system.filter((text) => text.trim() !== '').join('\n\n'),
    records: createRecords(turns.slice(0, -1)),
    message: last.words,
    begun: last.answer,
    skills: last.skills,
  };
}

function addMessage(
  message: Extract<OpenAiMessage, { role: 'user' | 'assistant' }>,
  turns: Turn[],
  index: number,
): void {
  if (message.role === 'user') {
    turns.push(newTurn(joinText(message.content, index)));
    return;
  }
  if (turns.length === 0) {
    // Some clients start with an assistant greeting, which no provider accepts.
    turns.push(newTurn('(The conversation begins.)'));
  }
  const turn = turns.at(-1);
  if (turn) {
    addAnswer(message, turn, index);
  }
}

function newTurn(words: string): Turn {
  return { words, answer: undefined, open: new Map(), skills: [] };
}

function addAnswer(
  { content, tool_calls }: Extract<OpenAiMessage, { role: 'assistant' }>,
  turn: Turn,
  index: number,
): void {
  turn.answer ??= {
    said: { content: '', toolCalls: [], rounds: [] },
    record: { results: [], states: new Map() },
  };
  const { said } = turn.answer;
  const text = joinText(content ?? '', index);
  said.content += said.content === '' || text === '' ? text : `\n\n${text}`;
  const calls = tool_calls ?? [];
  if (calls.length > 0) {
    said.rounds?.push({ end: said.content.length, calls: calls.length });
  }
  for (const { id, function: called } of calls) {
    if (turn.open.has(id)) {
      throw invalid(index, `Duplicate call ID "${id}".`);
    }
    turn.open.set(id, said.toolCalls.length);
    turn.skills = decodeSkills(id);
    const input = parseJson(called.arguments) ?? called.arguments;
    if (isDeeper(input, maxLevels)) {
      throw invalid(index, `The arguments of "${id}" have more than ${maxLevels} levels.`);
    }
    said.toolCalls.push({ id: plainId(id), name: called.name, input, error: false, summary: '' });
  }
}

/** As for requests: JSON serializers fail on thousands of levels. */
const maxLevels = 100;

function isDeeper(value: unknown, levels: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))
  );
}

function addResult(
  { tool_call_id: id, content }: Extract<OpenAiMessage, { role: 'tool' }>,
  turn: Turn | undefined,
  index: number,
): void {
  const number = turn?.open.get(id);
  if (!turn?.answer || number === undefined) {
    throw invalid(index, `No call with the ID "${id}" precedes this result.`);
  }
  turn.open.delete(id);
  turn.answer.record.results[number] = {
    content: joinText(content, index),
    isError: false,
    skills: [],
    ms: 0,
  };
}

function rejectOpenCalls(turn: Turn | undefined, index: number): void {
  const [id] = turn?.open.keys() ?? [];
  if (id !== undefined) {
    throw invalid(index, `The call "${id}" has no result. Add a message with role "tool".`);
  }
}

function createRecords(turns: readonly Turn[]): Records {
  const records = emptyRecords();
  const createdAt = new Date().toISOString();
  for (const { words, answer } of turns) {
    const user: Message = {
      role: 'user',
      id: uuidv7(),
      content: words,
      skills: [],
      createdAt,
    };
    records.messages.push(user);
    if (answer) {
      const id = uuidv7();
      records.answers.set(id, answer.record);
      records.messages.push({
        role: 'assistant',
        id,
        thinking: '',
        model: '',
        status: 'complete',
        activations: [],
        ended: [],
        createdAt,
        ...answer.said,
      });
    }
  }
  return records;
}

function joinText(
  content: string | readonly { type: string; text?: unknown }[],
  index: number,
): string {
  if (typeof content === 'string') {
    return content;
  }
  return content
    .map(({ type, text }) => {
      if (type !== 'text' || typeof text !== 'string') {
        throw invalid(index, `Only text is supported, not parts of type "${type}".`);
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
