import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { withoutNul } from '@knowhow/shared/names';
import type { ModelEvent, ModelToolCall } from '../models/model.ts';
import type { Program } from './prepare-turn.ts';

/** One request to the model and its results. */
export interface Round {
  /** Offset in the answer at which this round's text begins. */
  from: number;
  /** Whether the model has written text in this round. */
  spoke: boolean;
  calls: ModelToolCall[];
  stop: 'stop' | 'length' | 'tool-calls';
  vendorState: unknown;
}

/** @param from length of the answer so far, in characters */
export function newRound(from: number): Round {
  return { from, spoke: false, calls: [], stop: 'stop', vendorState: undefined };
}

/** The calls of a round that the server must run; a program takes the calls of its own tools. */
export function callsToRun(round: Round, program: Program | undefined): readonly ModelToolCall[] {
  const own = program ? program.takeCalls(round.calls) : round.calls;
  // Some vendors' state refers to all calls, so it is unusable if some stay unanswered.
  round.vendorState = own.length < round.calls.length ? undefined : round.vendorState;
  return own;
}

/** Adds a model's event to the answer and returns the event for the user. */
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

/** Appends a tool's direct output to the answer as a separate paragraph and returns the event for the user. */
export function takeDirectOutput(text: string, answer: AssistantMessage): ChatEvent {
  const content = paragraphBreak(answer, newRound(answer.content.length)) + withoutNul(text);
  answer.content += content;
  return { type: 'chunk', content };
}

/** Text after tool calls starts a new paragraph. */
function paragraphBreak(answer: AssistantMessage, round: Round): string {
  const first = !round.spoke;
  round.spoke = true;
  return first && answer.content !== '' && !answer.content.endsWith('\n\n') ? '\n\n' : '';
}

/** Moves this round's text to the thinking: the model closed a thinking block that it had never opened. */
function moveToThinking(answer: AssistantMessage, round: Round): ChatEvent {
  const text = answer.content.slice(round.from);
  answer.content = answer.content.slice(0, round.from);
  answer.thinking += text;
  round.spoke = false;
  return { type: 'chunk.was-thinking', characters: text.length };
}
