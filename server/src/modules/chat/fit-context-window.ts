import type { FittingCode } from '@knowhow/shared/chat/chat';
import { maxTokensPerCharacter } from '@knowhow/shared/count-tokens';
import type { Compaction, Point } from '../conversations/index.ts';
import type { ModelMessage, ModelRequest } from '../models/index.ts';
import { calibratedWindow } from './calibrated-window.ts';
import type { Journal } from './journal.ts';
import { countMessageTokens, perImage, sumMessageTokens } from './message-tokens.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { createReader, overheadTokens, renderRequest } from './render-request.ts';
import { joinTurns, type RenderedTurns, renderTurns } from './render-turns.ts';
import { summarise } from './summarise.ts';
import type { TurnAccess } from './turn-access.ts';

export interface FittedRequest {
  request: ModelRequest;
  /** Its token count, if it had to be counted. */
  estimated?: number;
}

/** Target share of the budget after compaction. The gap keeps the prefix of the next requests stable. */
const clearedShare = 0.7;
const keptShare = 0.5;

type Step = (fitting: Fitting) => Promise<CompactionResult | undefined>;
type CompactionResult = Pick<Compaction, 'keptFrom' | 'cleared' | 'summary' | 'skills'> & {
  code: FittingCode;
};

interface Fitting {
  turn: PreparedTurn;
  access: TurnAccess;
  rendered: RenderedTurns;
  /** Token budget of the messages. */
  budget: number;
  last: Pick<Compaction, 'keptFrom' | 'cleared' | 'summary' | 'skills'>;
  signal: AbortSignal;
}

/**
 * Compacts the request of a round to fit the model's context window. It clears tool results of earlier turns first,
 * oldest first. Then it summarises or drops older turns, and finally clears results of this turn. Every step is
 * recorded and reported to the user.
 */
export async function fitContextWindow(
  turn: PreparedTurn,
  access: TurnAccess,
  journal: Journal,
): Promise<FittedRequest> {
  const { records, language } = turn;
  const { signal } = journal;
  const { request: window } = calibratedWindow(records, access);
  for (const step of steps) {
    const request = renderRequest(records, access, language);
    if (certainlyFits(request, window)) {
      return { request };
    }
    const overhead = overheadTokens(access, language);
    const budget = window - overhead;
    const tokens = sumMessageTokens(request.messages);
    if (tokens <= budget) {
      return { request, estimated: overhead + tokens };
    }
    const rendered = renderTurns(records, createReader(records, access));
    const last = records.compactions.at(-1) ?? nothing;
    const fitting: Fitting = { turn, access, rendered, budget, last, signal };
    if (step === summariseOlder && canSummarise(fitting)) {
      const message = 'The older messages are being summarised.';
      await journal.record({ type: 'notice', code: 'summarising', message });
    }
    const result = await step(fitting);
    if (result) {
      const { code, ...compaction } = result;
      await journal.record({ type: 'compacted', code, message: texts[code], compaction });
    }
  }
  return { request: renderRequest(records, access, language) };
}

const nothing = { keptFrom: 0, cleared: { turn: 0, call: 0 }, skills: [] };

const texts: Record<FittingCode, string> = {
  'results-cleared': 'Older tool results were removed from the context to free space.',
  summarised: 'The model now reads a summary of the older messages.',
  'left-out': 'Older messages no longer fit the context window and were dropped.',
};

/** Steps in order, until the request fits. */
const steps: readonly Step[] = [clearEarlier, summariseOlder, leaveOutOlder, clearOwn];

/** Whether the request certainly fits, without counting tokens; true for most requests. */
function certainlyFits({ system, tools, messages }: ModelRequest, window: number): boolean {
  const characters = messages.reduce(
    (sum, message) => sum + estimateCharacters(message),
    system.length,
  );
  return (characters + JSON.stringify(tools).length) * maxTokensPerCharacter <= window;
}

function estimateCharacters(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? JSON.stringify(message.toolCalls).length : 0;
  const images = 'images' in message ? (message.images?.length ?? 0) : 0;
  return message.content.length + calls + images * perImage + 20;
}

async function clearEarlier(fitting: Fitting): Promise<CompactionResult | undefined> {
  return clearIn(fitting.rendered.turns.slice(0, -1), fitting);
}

async function clearOwn(fitting: Fitting): Promise<CompactionResult | undefined> {
  return clearIn(fitting.rendered.turns, fitting);
}

/** Clears tool results of these turns, oldest first. */
function clearIn(
  turns: RenderedTurns['turns'],
  { rendered, budget, last }: Fitting,
): CompactionResult | undefined {
  const excess = sumMessageTokens(joinTurns(rendered)) - budget * clearedShare;
  const cleared = findClearPoint({ ...rendered, turns }, last.cleared, excess);
  return cleared && { ...last, cleared, code: 'results-cleared' };
}

/** Finds up to which call results must be cleared to save `excess` tokens; undefined if none is left. */
function findClearPoint(
  { turns, first }: RenderedTurns,
  from: Point,
  excess: number,
): Point | undefined {
  let saved = 0;
  let cleared: Point | undefined;
  for (const [index, messages] of turns.entries()) {
    const results = messages.filter(({ role }) => role === 'tool');
    for (const [call, result] of results.entries()) {
      const turn = first + index;
      if (turn < from.turn || (turn === from.turn && call < from.call)) {
        continue;
      }
      if (saved >= excess) {
        return cleared;
      }
      saved += Math.max(0, countMessageTokens(result) - placeholderTokens);
      cleared = { turn, call: call + 1 };
    }
  }
  return saved > 0 ? cleared : undefined;
}

/** Tokens of the line that replaces a cleared result. */
const placeholderTokens = 60;

async function summariseOlder(fitting: Fitting): Promise<CompactionResult | undefined> {
  const { turn, access, rendered, last, signal } = fitting;
  const keptFrom = findFirstKeptTurn(fitting);
  if (keptFrom <= last.keptFrom) {
    return undefined;
  }
  const older = { ...rendered, turns: rendered.turns.slice(0, keptFrom - rendered.first) };
  // A program resends the whole history, so it would have to be summarised again each time.
  const result = turn.program
    ? undefined
    : await summarise(joinTurns(older), { turn, access, signal });
  const { summary, skills: _, ...rest } = last;
  return result
    ? { ...rest, keptFrom, summary: result.text, skills: result.skills, code: 'summarised' }
    : { ...rest, keptFrom, skills: [], code: 'left-out' };
}

function canSummarise(fitting: Fitting): boolean {
  return (
    !fitting.turn.program &&
    fitting.access.model.config.provider !== 'demo' &&
    findFirstKeptTurn(fitting) > fitting.last.keptFrom
  );
}

/** First of the newest turns that fit half the budget; the current turn is always kept. */
function findFirstKeptTurn({ rendered, budget }: Fitting): number {
  const { turns, first } = rendered;
  let left = budget * keptShare - sumMessageTokens(turns.at(-1) ?? []);
  let kept = turns.length - 1;
  while (kept > 0) {
    left -= sumMessageTokens(turns[kept - 1] ?? []);
    if (left < 0) {
      break;
    }
    kept -= 1;
  }
  return first + kept;
}

/** If the summary or the kept turns are still too long, keeps only the current turn. */
async function leaveOutOlder({ rendered, last }: Fitting): Promise<CompactionResult | undefined> {
  const keptFrom = rendered.first + rendered.turns.length - 1;
  if (keptFrom <= last.keptFrom && last.summary === undefined) {
    return undefined;
  }
  const { summary: _, ...rest } = last;
  return { ...rest, keptFrom, skills: [], code: 'left-out' };
}
