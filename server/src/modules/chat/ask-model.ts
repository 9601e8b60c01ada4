import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { withoutNul } from '@knowhow/shared/names';
import type { Log } from '../../platform/lib/log.ts';
import { type ModelEvent, type ModelToolCall, refusesTools } from '../models/index.ts';
import { withEnglishNames } from '../tools/index.ts';
import type { FittedRequest } from './fit-context-window.ts';
import type { Journal, TurnFact } from './journal.ts';
import { sumMessageTokens } from './message-tokens.ts';
import type { PreparedTurn, Program } from './prepare-turn.ts';
import { overheadTokens } from './render-request.ts';
import type { TurnAccess } from './turn-access.ts';
import { noteModel } from './turn-steps.ts';

/** One request to the model and its results. */
export interface Round {
  /** Offset in the answer at which this round's text begins. */
  from: number;
  calls: ModelToolCall[];
  stop: 'stop' | 'length' | 'tool-calls';
  vendorState: unknown;
}

interface AskOptions {
  access: TurnAccess;
  fitted: FittedRequest;
  journal: Journal;
  log: Log;
}

/** Sends one request to the model. Undefined if its server rejects tools; the next request has none. */
export async function askModel(
  turn: PreparedTurn,
  { access, fitted, journal, log }: AskOptions,
): Promise<Round | undefined> {
  const { answer } = turn.start;
  const { request, estimated } = fitted;
  const round: Round = {
    from: answer.content.length,
    calls: [],
    stop: 'stop',
    vendorState: undefined,
  };
  const usageBefore = answer.usage ?? { inputTokens: 0, outputTokens: 0 };
  const { config } = access.model;
  const note = noteModel(turn, { purpose: 'answer', config, access, request });
  try {
    for await (const received of access.ask(request, journal.signal)) {
      const event = withEnglishNames(received, access.offered().tools);
      note.take(event);
      if (event.type === 'retry') {
        log.warn({ error: event.why, waitMs: event.waitMs }, 'the model is asked again');
        if (event.refusedTool !== undefined) {
          access.refuseTool(event.refusedTool);
        }
      }
      const fact = takeModelEvent(event, round, { answer, usageBefore });
      if (fact) {
        await journal.record(fact);
      }
    }
  } catch (error) {
    note.step.error = error;
    if (request.tools.length === 0 || !refusesTools(error)) {
      throw error;
    }
    log.warn({ error }, 'the model is asked again without tools');
    access.refuseTools();
    return undefined;
  } finally {
    note.end();
  }
  const { usage } = note.step;
  if (usage) {
    const { inputTokens, outputTokens } = usage;
    const sent =
      estimated ?? overheadTokens(access, turn.language) + sumMessageTokens(request.messages);
    await journal.record({ type: 'model-answered', inputTokens, outputTokens, estimated: sent });
    access.noteTokens({ estimated: sent, counted: inputTokens });
  }
  return round;
}

/** The calls of a round that the server must run; a program takes the calls of its own tools. */
export function callsToRun(round: Round, program: Program | undefined): readonly ModelToolCall[] {
  const own = program ? program.takeCalls(round.calls) : round.calls;
  // Some vendors' state refers to all calls, so it is unusable if some stay unanswered.
  round.vendorState = own.length < round.calls.length ? undefined : round.vendorState;
  return own;
}

interface AnswerSoFar {
  answer: AssistantMessage;
  /** Sum of the earlier requests. */
  usageBefore: { inputTokens: number; outputTokens: number };
}

/** Adds a model's event to the round. Returns what it adds to the answer. */
function takeModelEvent(
  event: ModelEvent,
  round: Round,
  { answer, usageBefore }: AnswerSoFar,
): TurnFact | undefined {
  switch (event.type) {
    case 'text':
      return { type: 'chunk', content: textAfter(answer, round.from, event.text) };
    case 'thinking':
      return { type: 'thinking', content: withoutNul(event.text) };
    case 'text-was-thinking':
      // The model closed a thinking block that it had never opened.
      return { type: 'chunk.was-thinking', characters: answer.content.length - round.from };
    case 'usage':
      return {
        type: 'usage',
        inputTokens: usageBefore.inputTokens + event.inputTokens,
        outputTokens: usageBefore.outputTokens + event.outputTokens,
      };
    case 'tool-call':
      round.calls.push(event.call);
      return undefined;
    case 'vendor-state':
      round.vendorState = event.state;
      return undefined;
    case 'stop':
      round.stop = event.reason;
      return undefined;
    case 'retry':
      return undefined;
  }
}

/**
 * The text to append to an answer. The first text of a round begins a paragraph.
 *
 * @param from offset in the answer at which the round's text begins
 */
export function textAfter({ content }: AssistantMessage, from: number, text: string): string {
  const isFirst = content.length === from;
  // Only then: reading the end of a long text copies it, since it is made of pieces.
  const needsBreak = isFirst && content !== '' && !content.endsWith('\n\n');
  return (needsBreak ? '\n\n' : '') + withoutNul(text);
}
