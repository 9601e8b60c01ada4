import type { FinishReason, TurnEnd } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { Problem } from '@knowhow/shared/problem';
import type { Log } from '../../platform/lib/log.ts';
import { AnswerTakenOver, answerGone, getActiveSkills } from '../conversations/index.ts';
import { emptyAnswerProblem, type ModelToolCall } from '../models/index.ts';
import type { ToolResult } from '../tools/index.ts';
import { askModel, callsToRun, type Round, textAfter } from './ask-model.ts';
import { fitContextWindow } from './fit-context-window.ts';
import { getBlockNote, getEndReason } from './get-end-reason.ts';
import type { Journal } from './journal.ts';
import { recordOutdated } from './mark-outdated.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { routeSkills } from './route-skills.ts';
import { runCall } from './run-call.ts';
import { stoppedByUser } from './running-turns.ts';
import { isRouted, type TurnAccess } from './turn-access.ts';
import { toTurnError } from './turn-error.ts';

interface TurnTools {
  journal: Journal;
  /** Log whose entries name user, conversation, request and model. */
  log: Log;
}

/** State that a turn keeps between its rounds. */
interface Progress {
  /** Whether skills may still be routed: once, before the first request. */
  mayRoute: boolean;
  /** Whether the turn began with tools, which the model's server then rejected. */
  hadTools: boolean;
  /** Requests for missing files. */
  misses: { count: number };
}

/** Maximum rounds of tool calls per turn; rounds that only activate a skill do not count. */
const maxRounds = 12;

/**
 * Runs one turn: asks the model, runs its tool calls and repeats until it is done. Every fact goes to the journal, and
 * so does the end, whatever it is.
 */
export async function runTurn(turn: PreparedTurn, tools: TurnTools): Promise<void> {
  let last: TurnEnd;
  try {
    await tools.journal.reportStart();
    last = { type: 'done', finishReason: await runRounds(turn, tools) };
    await refreshOutdatedFlags(turn, tools.journal);
  } catch (error) {
    last = await describeEarlyEnd(turn, error, tools);
  }
  await tools.journal.end(last);
}

async function runRounds(turn: PreparedTurn, tools: TurnTools): Promise<FinishReason> {
  const { journal } = tools;
  const { answer } = turn.start;
  const progress: Progress = { mayRoute: true, hadTools: false, misses: { count: 0 } };
  for (let counted = 0; ; ) {
    const { round, access } = await runRequest(turn, progress, tools);
    const calls = callsToRun(round, turn.program);
    if (calls.length === 0) {
      assertNotEmpty(answer, round, access);
      await saveVendorState(round, answer.rounds?.length ?? 0, journal);
      return round.stop === 'length' ? 'length' : 'stop';
    }
    if (counted >= maxRounds) {
      return 'tool-limit';
    }
    const results = await runCalls(calls, { turn, journal, progress, round });
    const direct = results.flatMap(({ directOutput }) => (directOutput ? [directOutput] : []));
    if (direct.length > 0) {
      const content = textAfter(answer, answer.content.length, direct.join('\n\n'));
      await journal.record({ type: 'chunk', content });
      return 'stop';
    }
    counted += results.every(({ activation }) => activation) ? 0 : 1;
  }
}

/**
 * Sends one request to the model with what the turn may use now. Sends it again without tools if the model's server
 * rejects them.
 */
async function runRequest(
  turn: PreparedTurn,
  progress: Progress,
  tools: TurnTools,
): Promise<{ round: Round; access: TurnAccess }> {
  const { journal, log } = tools;
  const { user, answer } = turn.start;
  let access = await recheckAccess(turn, journal);
  const mayRoute = progress.mayRoute && answer.rounds === undefined;
  if (mayRoute && isRouted(user.skills, access, progress.hadTools)) {
    progress.mayRoute = false;
    await routeSkills(turn, access, tools);
    access = await recheckAccess(turn, journal);
  }
  const fitted = await fitContextWindow(turn, access, journal);
  const round = await askModel(turn, { access, fitted, journal, log });
  if (round) {
    return { round, access };
  }
  progress.hadTools = true;
  return runRequest(turn, progress, tools);
}

interface Calling {
  turn: PreparedTurn;
  journal: Journal;
  progress: Progress;
  round: Round;
}

/** Runs the calls of a round one after the other. */
async function runCalls(
  calls: readonly ModelToolCall[],
  { turn, journal, progress, round }: Calling,
): Promise<ToolResult[]> {
  const number = turn.start.answer.rounds?.length ?? 0;
  const { misses } = progress;
  const results: ToolResult[] = [];
  for (const call of calls) {
    const access = await recheckAccess(turn, journal);
    results.push(await runCall(call, { turn, access, round: number, misses, journal }));
  }
  const tools = turn.offeredToolIds();
  if (tools !== turn.start.tools) {
    await journal.record({ type: 'tools-offered', tools });
  }
  // Some vendors' state refers to all calls, so it is only usable once each has a result.
  await saveVendorState(round, number, journal);
  return results;
}

/** Stores the vendor state to send back with a round; the final round, without calls, gets the next number. */
async function saveVendorState(
  { vendorState: state }: Round,
  round: number,
  journal: Journal,
): Promise<void> {
  if (state !== undefined) {
    await journal.record({ type: 'state-received', round, state });
  }
}

/** Throws `model-empty` if the answer has no text although the model stopped normally. */
function assertNotEmpty(answer: AssistantMessage, round: Round, { model }: TurnAccess): void {
  if (answer.content.trim() === '' && round.calls.length === 0 && round.stop !== 'length') {
    const reason = answer.thinking.trim() === '' ? 'no text' : 'thinking, but no text';
    throw emptyAnswerProblem(model.config, `The model sent ${reason}.`);
  }
}

/**
 * Rechecks, before each request and each call, what the turn may use. Ends skills that were withdrawn. Throws the
 * problem that ends the turn.
 */
async function recheckAccess(
  { access, records }: PreparedTurn,
  journal: Journal,
): Promise<TurnAccess> {
  journal.signal.throwIfAborted();
  const [allowed, stored] = await Promise.all([access(), journal.activeNames()]);
  if (!stored) {
    throw answerGone();
  }
  const { app } = allowed;
  const { view } = allowed.offered();
  for (const record of records.activations.filter(({ end }) => !end)) {
    const isStored = stored.has(record.activation.name);
    const reason = isStored ? getEndReason(record.activation, { view, app }) : 'user';
    if (reason) {
      const note = getBlockNote(record.activation.name, reason, allowed.config);
      await journal.record({ type: 'skill-ended', record, reason, note });
    }
  }
  await recordOutdated(records, view, journal);
  journal.signal.throwIfAborted();
  return allowed;
}

/** Records skills that changed during the last request. Errors are ignored, so that a finished turn still succeeds. */
async function refreshOutdatedFlags(
  { access, records }: PreparedTurn,
  journal: Journal,
): Promise<void> {
  const isAnyActive = getActiveSkills(records).size > 0;
  const allowed = isAnyActive ? await access().catch(() => undefined) : undefined;
  if (allowed) {
    await recordOutdated(records, allowed.offered().view, journal);
  }
}

/** How a turn ends that was aborted (by its user, lost access or another node) or that failed. */
async function describeEarlyEnd(
  { access }: PreparedTurn,
  error: unknown,
  { journal: { signal }, log }: TurnTools,
): Promise<TurnEnd> {
  const why: unknown = signal.aborted ? signal.reason : error;
  if (why instanceof AnswerTakenOver || (signal.aborted && !(why instanceof Problem))) {
    return { type: 'done', finishReason: why === stoppedByUser ? 'aborted' : 'interrupted' };
  }
  log.warn({ error: why }, 'a turn failed');
  const isAdmin = await access().then(
    (now) => now.isAdmin,
    () => false,
  );
  return { type: 'error', ...toTurnError(why, isAdmin) };
}
