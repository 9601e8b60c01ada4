import type { ChatEvent, FinishReason } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { Problem } from '@knowhow/shared/problem';
import type { Log } from '../../platform/lib/log.ts';
import {
  AnswerTakenOver,
  answerGone,
  getAnswerLocation,
} from '../conversations/answering/lock-running-answer.ts';
import { answerRecord, endedSkill, getActiveSkills } from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import { emptyAnswerProblem, refusesTools } from '../models/provider-problem.ts';
import { withEnglishNames } from '../tools/translate-tools.ts';
import { fail, finish, reportPrunedBranches } from './finish-answer.ts';
import { type FittedRequest, fitContextWindow } from './fit-request.ts';
import { outdatedEvents } from './mark-outdated.ts';
import { sumMessageTokens } from './message-tokens.ts';
import { observeTurn, type TurnObserver } from './observe-turn.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { overheadTokens } from './render-request.ts';
import { routeSkills } from './route-skills.ts';
import { runCall } from './run-call.ts';
import { stoppedByUser } from './running-turns.ts';
import { autosaveAnswer, createSaver, storeFinalAnswer } from './save-answer.ts';
import {
  callsToRun,
  newRound,
  type Round,
  takeDirectOutput,
  takeModelEvent,
} from './take-model-event.ts';
import { isRouted, type TurnAccess } from './turn-access.ts';
import { noteModel } from './turn-steps.ts';
import { whyEnded } from './why-ended.ts';

interface TurnTools {
  conversations: TurnStore;
  /** Log whose entries name user, conversation, request and model. */
  log: Log;
  observers: readonly TurnObserver[];
  /** If its reason is a problem, the turn ends with it. */
  signal: AbortSignal;
}

/** Maximum rounds of tool calls per turn; rounds that only activate a skill do not count. */
const maxRounds = 12;

/**
 * Runs one turn: asks the model, runs its tool calls and repeats until it is done. Yields events for the user; the
 * last is `done` or `error`. Throws only before the first event. The answer is autosaved every second and saved at
 * the end, however it ends.
 */
export async function* runTurn(turn: PreparedTurn, given: TurnTools): AsyncGenerator<ChatEvent> {
  try {
    yield* runAndStore(turn, given);
  } finally {
    await turn.endUsage?.();
  }
}

async function* runAndStore(turn: PreparedTurn, given: TurnTools): AsyncGenerator<ChatEvent> {
  const lost = new AbortController();
  const tools = { ...given, signal: AbortSignal.any([given.signal, lost.signal]) };
  const { start } = turn;
  const { answer } = start;
  const started = await tools.conversations.beginTurn(start);
  const ended = observeTurn(turn, tools.observers, tools.log);
  yield {
    type: 'session.start',
    conversationId: start.conversation.id,
    messageId: answer.id,
    userMessageId: start.user.id,
    model: start.conversation.model,
    activeSkills: [...getActiveSkills(turn.records).keys()],
  };
  yield* started.hasPrunedBranches ? reportPrunedBranches(answer) : [];
  for (const ended of start.ended.flatMap(endedSkill)) {
    yield { type: 'skill.ended', ...ended };
  }
  const type = 'skill.activation';
  yield* start.activated.map(({ activation }) => ({ type, ...activation }) as const);
  const save = createSaver(turn, tools);
  const stopSaving = autosaveAnswer(answer, save, { ...tools, lost });
  let last: ChatEvent;
  try {
    const finishReason = yield* answerWithTools(turn, tools);
    yield* refreshOutdatedFlags(turn);
    last = finish(answer, finishReason);
  } catch (error) {
    last = await endEarly(turn, error, tools);
  } finally {
    stopSaving();
  }
  last = await storeFinalAnswer(last, save, { ...tools, answer });
  ended(last);
  // Released before the reader sees the end and sends the next message.
  await turn.endUsage?.();
  yield last;
}

async function* answerWithTools(
  turn: PreparedTurn,
  tools: TurnTools,
): AsyncGenerator<ChatEvent, FinishReason> {
  const { answer } = turn.start;
  const misses = { count: 0 };
  let isToRoute = true;
  let hadTools = false;
  for (let rounds = 0; ; ) {
    const round = newRound(answer.content.length);
    let access = yield* recheckAccess(turn, tools);
    if (
      isToRoute &&
      answer.rounds === undefined &&
      isRouted(turn.start.user.skills, access, hadTools)
    ) {
      isToRoute = false;
      yield* routeSkills(turn, access, tools);
      access = yield* recheckAccess(turn, tools);
    }
    const fitted = yield* fitContextWindow(turn, access, tools);
    if (!(yield* ask(turn, { access, fitting: fitted, round }, tools))) {
      hadTools = true;
      continue;
    }
    const calls = callsToRun(round, turn.program);
    if (calls.length === 0) {
      assertNotEmpty(answer, round, access);
      saveVendorState(turn, round, answer.rounds?.length ?? 0);
      return round.stop === 'length' ? 'length' : 'stop';
    }
    if (rounds >= maxRounds) {
      return 'tool-limit';
    }
    answer.rounds ??= [];
    const number = answer.rounds.push({ end: answer.content.length, calls: 0 }) - 1;
    let counts = false;
    const direct: string[] = [];
    for (const call of calls) {
      const { activation, directOutput } = yield* runCall(
        call,
        turn,
        yield* recheckAccess(turn, tools),
        {
          ...tools,
          misses,
        },
      );
      counts ||= activation === undefined;
      direct.push(...(directOutput ? [directOutput] : []));
    }
    await saveOfferedTools(turn, tools);
    // Some vendors' state refers to all calls, so it is only usable once each has a result.
    saveVendorState(turn, round, number);
    if (direct.length > 0) {
      yield takeDirectOutput(direct.join('\n\n'), answer);
      return 'stop';
    }
    rounds += counts ? 1 : 0;
  }
}

/** Stores the vendor state to send back with a round; the final round, without calls, gets the next number. */
function saveVendorState(
  { records, start }: PreparedTurn,
  { vendorState }: Round,
  number: number,
): void {
  if (vendorState !== undefined) {
    answerRecord(records, start.answer).states.set(number, vendorState);
  }
}

/** Throws `model-empty` if the answer has no text although the model stopped normally. */
function assertNotEmpty(answer: AssistantMessage, round: Round, { model }: TurnAccess): void {
  if (answer.content.trim() === '' && round.calls.length === 0 && round.stop !== 'length') {
    const reason = answer.thinking.trim() === '' ? 'no text' : 'thinking, but no text';
    throw emptyAnswerProblem(model.config, `The model sent ${reason}.`);
  }
}

/** Stores the tools that a search found with the conversation. */
async function saveOfferedTools(
  { offeredToolIds, start }: PreparedTurn,
  { conversations }: TurnTools,
): Promise<void> {
  const now = offeredToolIds();
  if (now !== start.tools) {
    start.tools = now;
    await conversations.saveOfferedTools(getAnswerLocation(start), now);
  }
}

/**
 * Rechecks, before each request and each call, what the turn may use. Ends skills that were withdrawn. Throws the
 * problem that ends the turn.
 */
async function* recheckAccess(
  { access, start, records }: PreparedTurn,
  { conversations, signal }: TurnTools,
): AsyncGenerator<ChatEvent, TurnAccess> {
  signal.throwIfAborted();
  // Activations of a new conversation cannot have been changed elsewhere yet, so nothing is read.
  const isJustStarted = start.isNew && start.answer.rounds === undefined;
  const [allowed, stored] = await Promise.all([
    access(),
    isJustStarted
      ? new Set(records.activations.map(({ activation }) => activation.name))
      : conversations.activeNames(start.owner, start.conversation.id),
  ]);
  if (!stored) {
    throw answerGone();
  }
  const { app } = allowed;
  const { view } = allowed.offered();
  for (const record of records.activations.filter(({ end }) => !end)) {
    const { name } = record.activation;
    const reason = stored.has(name) ? whyEnded(record.activation, { view, app }) : 'user';
    if (!reason) {
      continue;
    }
    record.end = { reason, inTurnOf: start.user.id };
    start.answer.ended.push(...endedSkill(record));
    await conversations.endActivation(getAnswerLocation(start), record);
    yield { type: 'skill.ended', name, reason };
  }
  yield* outdatedEvents(records, { view });
  signal.throwIfAborted();
  return allowed;
}

/** Reports skills that changed during the last request. Errors are ignored, so that a finished turn still succeeds. */
async function* refreshOutdatedFlags({ access, records }: PreparedTurn): AsyncGenerator<ChatEvent> {
  const isAnyActive = getActiveSkills(records).size > 0;
  const allowed = isAnyActive ? await access().catch(() => undefined) : undefined;
  yield* allowed ? outdatedEvents(records, allowed.offered()) : [];
}

interface RoundRequest {
  access: TurnAccess;
  fitting: FittedRequest;
  round: Round;
}

/** Sends one request to the model. Returns false if its server rejects tools; the next request has none. */
async function* ask(
  turn: PreparedTurn,
  { access, fitting: fitted, round }: RoundRequest,
  { signal, log }: TurnTools,
): AsyncGenerator<ChatEvent, boolean> {
  const { answer } = turn.start;
  const { request, estimated } = fitted;
  const usageBefore = answer.usage ?? { inputTokens: 0, outputTokens: 0 };
  const { config } = access.model;
  const note = noteModel(turn, { purpose: 'answer', config, access, request });
  try {
    for await (const received of access.ask(request, signal)) {
      const event = withEnglishNames(received, access.offered().tools);
      note.take(event);
      if (event.type === 'retry') {
        log.warn({ error: event.why, waitMs: event.waitMs }, 'the model is asked again');
        if (event.refusedTool !== undefined) {
          access.refuseTool(event.refusedTool);
        }
      }
      const seen = takeModelEvent(event, answer, round, usageBefore);
      if (seen) {
        yield seen;
      }
    }
  } catch (error) {
    note.step.error = error;
    if (request.tools.length === 0 || !refusesTools(error)) {
      throw error;
    }
    log.warn({ error }, 'the model is asked again without tools');
    access.refuseTools();
    return false;
  } finally {
    note.end();
  }
  const { usage } = note.step;
  if (usage) {
    const { inputTokens, outputTokens } = usage;
    const sent =
      estimated ?? overheadTokens(access, turn.language) + sumMessageTokens(request.messages);
    answer.modelCalls ??= [];
    answer.modelCalls.push({ inputTokens, outputTokens, estimated: sent });
    access.noteTokens({ estimated: sent, counted: inputTokens });
  }
  return true;
}

/** Ends a turn that was aborted (by its user, lost access or another node) or that failed. */
async function endEarly(
  { start, access }: PreparedTurn,
  error: unknown,
  { signal, log }: TurnTools,
): Promise<ChatEvent> {
  const why: unknown = signal.aborted ? signal.reason : error;
  if (why instanceof AnswerTakenOver || (signal.aborted && !(why instanceof Problem))) {
    return finish(start.answer, why === stoppedByUser ? 'aborted' : 'interrupted');
  }
  log.warn({ error: why }, 'a turn failed');
  const isAdmin = await access().then(
    (now) => now.isAdmin,
    () => false,
  );
  return fail(start.answer, why, isAdmin);
}
