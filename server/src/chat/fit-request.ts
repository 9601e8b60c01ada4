import type { ChatEvent, FittingCode } from '@knowhow/shared/chat/chat';
import { placeOf } from '../conversations/answering/hold-answer.ts';
import { addCompaction, type Compaction, type Point } from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import { mostPerCharacter } from '../lib/count-tokens.ts';
import type { ModelMessage, ModelRequest } from '../models/model.ts';
import { windowIn } from './correct-estimate.ts';
import { perImage, tokensOf, tokensOfOne } from './message-tokens.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { joinTurns, type RenderedTurns, renderTurns } from './render-messages.ts';
import { overheadTokens, readerOf, renderRequest } from './render-request.ts';
import { summarise } from './summarise.ts';
import type { TurnAccess } from './turn-access.ts';

interface FitTools {
  conversations: TurnStore;
  signal: AbortSignal;
}

export interface FittingRequest {
  request: ModelRequest;
  /** Its tokens, where they had to be counted. */
  estimated?: number;
}

/** So much of the room is used once something was left out: the next requests begin alike then. */
const clearedTo = 0.7;
const keptTo = 0.5;

type Step = (fitting: Fitting) => Promise<CompactionResult | undefined>;
type CompactionResult = Pick<Compaction, 'keptFrom' | 'cleared' | 'summary' | 'skills'> & {
  code: FittingCode;
};

interface Fitting {
  turn: PreparedTurn;
  access: TurnAccess;
  rendered: RenderedTurns;
  /** Tokens that the messages may have. */
  room: number;
  last: Pick<Compaction, 'keptFrom' | 'cleared' | 'summary' | 'skills'>;
  signal: AbortSignal;
}

/**
 * The request of a round, within the model's window. What there is no room for is left out, recorded, and told
 * to the user: results of tools of earlier turns, the oldest first; then older turns, for which a summary
 * stands; then results of this turn.
 */
export async function* fitContextWindow(
  turn: PreparedTurn,
  access: TurnAccess,
  { conversations, signal }: FitTools,
): AsyncGenerator<ChatEvent, FittingRequest> {
  const { records, start, language } = turn;
  const { request: window } = windowIn(records, access);
  for (const step of steps) {
    const request = renderRequest(records, access, language);
    if (mustFit(request, window)) {
      return { request };
    }
    const overhead = overheadTokens(access, language);
    const room = window - overhead;
    const tokens = tokensOf(request.messages);
    if (tokens <= room) {
      return { request, estimated: overhead + tokens };
    }
    const rendered = renderTurns(records, readerOf(records, access));
    const last = records.compactions.at(-1) ?? nothing;
    const fitting: Fitting = { turn, access, rendered, room, last, signal };
    if (step === summariseOlder && mayBeSummarised(fitting)) {
      yield {
        type: 'notice',
        code: 'summarising',
        message: 'The older messages are being summarised.',
      };
    }
    const made = await step(fitting);
    if (made) {
      const { code, ...compaction } = made;
      const added = addCompaction(records, { ...compaction, messageId: start.user.id });
      await conversations.addCompaction(placeOf(start), added);
      start.answer.notices = [...new Set([...(start.answer.notices ?? []), code])];
      yield { type: 'notice', code, message: texts[code] };
    }
  }
  return { request: renderRequest(records, access, language) };
}

const nothing = { keptFrom: 0, cleared: { turn: 0, call: 0 }, skills: [] };

const texts: Record<FittingCode, string> = {
  'results-cleared': 'Older results of tools were taken out of what the model reads, to make room.',
  summarised: 'The model reads a summary of the older messages from here on.',
  'left-out': 'The model no longer reads the older messages: there is no room for them.',
};

/** In this order, until the request fits. */
const steps: readonly Step[] = [clearEarlier, summariseOlder, leaveOutOlder, clearOwn];

/** Known without counting: of what is far from the limit, as most requests are. */
function mustFit({ system, tools, messages }: ModelRequest, window: number): boolean {
  const characters = messages.reduce((sum, message) => sum + lengthOf(message), system.length);
  return (characters + JSON.stringify(tools).length) * mostPerCharacter <= window;
}

function lengthOf(message: ModelMessage): number {
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

/** Takes results out of some turns, the oldest first. */
function clearIn(
  turns: RenderedTurns['turns'],
  { rendered, room, last }: Fitting,
): CompactionResult | undefined {
  const excess = tokensOf(joinTurns(rendered)) - room * clearedTo;
  const cleared = clearedBy({ ...rendered, turns }, last.cleared, excess);
  return cleared && { ...last, cleared, code: 'results-cleared' };
}

/** Up to which call results have to be taken out to save so many tokens; undefined when none is left. */
function clearedBy(
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
      saved += Math.max(0, tokensOfOne(result) - linesTokens);
      cleared = { turn, call: call + 1 };
    }
  }
  return saved > 0 ? cleared : undefined;
}

/** Of the line in place of a result. */
const linesTokens = 60;

async function summariseOlder(fitting: Fitting): Promise<CompactionResult | undefined> {
  const { turn, access, rendered, last, signal } = fitting;
  const keptFrom = keptFromOf(fitting);
  if (keptFrom <= last.keptFrom) {
    return undefined;
  }
  const older = { ...rendered, turns: rendered.turns.slice(0, keptFrom - rendered.first) };
  // A program sends all of it again next time: to summarise it each time would cost more than it gives.
  const made = turn.program
    ? undefined
    : await summarise(joinTurns(older), { turn, access, signal });
  const { summary, skills: _, ...rest } = last;
  return made
    ? { ...rest, keptFrom, summary: made.text, skills: made.skills, code: 'summarised' }
    : { ...rest, keptFrom, skills: [], code: 'left-out' };
}

function mayBeSummarised(fitting: Fitting): boolean {
  return (
    !fitting.turn.program &&
    fitting.access.model.config.provider !== 'demo' &&
    keptFromOf(fitting) > fitting.last.keptFrom
  );
}

/** The first of the newest turns that have half the room; the turn under way in any case. */
function keptFromOf({ rendered, room }: Fitting): number {
  const { turns, first } = rendered;
  let left = room * keptTo - tokensOf(turns.at(-1) ?? []);
  let kept = turns.length - 1;
  while (kept > 0) {
    left -= tokensOf(turns[kept - 1] ?? []);
    if (left < 0) {
      break;
    }
    kept -= 1;
  }
  return first + kept;
}

/** Where the summary, or what is kept, is still too long: the turn under way alone stays. */
async function leaveOutOlder({ rendered, last }: Fitting): Promise<CompactionResult | undefined> {
  const keptFrom = rendered.first + rendered.turns.length - 1;
  if (keptFrom <= last.keptFrom && last.summary === undefined) {
    return undefined;
  }
  const { summary: _, ...rest } = last;
  return { ...rest, keptFrom, skills: [], code: 'left-out' };
}
