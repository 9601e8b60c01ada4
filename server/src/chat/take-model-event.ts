import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { withoutNul } from '@knowhow/shared/names';
import type { ModelEvent, ModelToolCall } from '../models/model.ts';
import type { Program } from './prepare-turn.ts';

/** One request to the model, and what has come of it. */
export interface Round {
  /** The position in the answer at which the text of this round begins. */
  from: number;
  /** Whether the model has said something in this round. */
  spoke: boolean;
  calls: ModelToolCall[];
  stop: 'stop' | 'length' | 'tool-calls';
  vendorState: unknown;
}

/** @param from characters of the answer so far */
export function newRound(from: number): Round {
  return { from, spoke: false, calls: [], stop: 'stop', vendorState: undefined };
}

/** The calls of a round that are to be run here: a program takes those of its own tools. */
export function callsToRun(round: Round, program: Program | undefined): readonly ModelToolCall[] {
  const own = program ? program.takeCalls(round.calls) : round.calls;
  // Items of a vendor name all calls, also those that nobody answers.
  round.vendorState = own.length < round.calls.length ? undefined : round.vendorState;
  return own;
}

/** Adds a model's event to the answer; gives what the user sees of it. */
export function takeModelEvent(
  event: ModelEvent,
  answer: AssistantMessage,
  round: Round,
  usageBefore: { inputTokens: number; outputTokens: number },
): ChatEvent | undefined {
  switch (event.type) {
    case 'text': {
      const content = paragraphBreak(answer, round) + withoutNul(event.text);
      answer.content += content;
      return { type: 'chunk', content };
    }
    case 'thinking': {
      const content = withoutNul(event.text);
      answer.thinking += content;
      return { type: 'thinking', content };
    }
    case 'text-was-thinking':
      return moveToThinking(answer, round);
    case 'tool-call':
      round.calls.push(event.call);
      return undefined;
    case 'vendor-state':
      round.vendorState = event.state;
      return undefined;
    case 'usage':
      answer.usage = {
        inputTokens: usageBefore.inputTokens + event.inputTokens,
        outputTokens: usageBefore.outputTokens + event.outputTokens,
      };
      return { type: 'usage', ...answer.usage };
    case 'retry':
      return undefined;
    case 'stop':
      round.stop = event.reason;
      return undefined;
  }
}

/** Adds the direct output of tools to the answer, in a paragraph of its own; gives what the user sees of it. */
export function takeDirectOutput(text: string, answer: AssistantMessage): ChatEvent {
  const content = paragraphBreak(answer, newRound(answer.content.length)) + withoutNul(text);
  answer.content += content;
  return { type: 'chunk', content };
}

/** What the model says after its tool calls begins a new paragraph. */
function paragraphBreak(answer: AssistantMessage, round: Round): string {
  const first = !round.spoke;
  round.spoke = true;
  return first && answer.content !== '' && !answer.content.endsWith('\n\n') ? '\n\n' : '';
}

/** The text of the round becomes thinking: the model ended a block of thinking that it had not begun. */
function moveToThinking(answer: AssistantMessage, round: Round): ChatEvent {
  const text = answer.content.slice(round.from);
  answer.content = answer.content.slice(0, round.from);
  answer.thinking += text;
  round.spoke = false;
  return { type: 'chunk.was-thinking', characters: text.length };
}
