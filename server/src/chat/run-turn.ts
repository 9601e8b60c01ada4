import type { ChatEvent, FinishReason } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { Problem } from '@knowhow/shared/problem';
import { AnswerTaken, answerGone, placeOf } from '../conversations/answering/hold-answer.ts';
import { activeSkillsOf, answerRecord, endedSkill } from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import type { Log } from '../lib/log.ts';
import { emptyAnswerProblem, refusesTools } from '../models/provider-problem.ts';
import { withEnglishNames } from '../tools/translate-tools.ts';
import { fail, finish, linesDropped } from './finish-answer.ts';
import { type FittingRequest, fitContextWindow } from './fit-request.ts';
import { outdatedEvents } from './mark-outdated.ts';
import { tokensOf } from './message-tokens.ts';
import { observeTurn, type TurnObserver } from './observe-turn.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { overheadTokens } from './render-request.ts';
import { routeSkills } from './route-skills.ts';
import { runCall } from './run-call.ts';
import { stoppedByUser } from './running-turns.ts';
import { autosaveAnswer, saverOf, stored } from './save-answer.ts';
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
  /** Its lines name user, conversation, request and model. */
  log: Log;
  observers: readonly TurnObserver[];
  /** Its reason, where that is a problem, is what the turn ends with. */
  signal: AbortSignal;
}

/** Rounds of tool calls a turn; those that only activate a new skill do not count. */
const maxRounds = 12;

/**
 * One turn: asks the model, runs its tool calls, asks again, until it is done. Yields what the user
 * is to see; the last event is `done` or `error`. Throws only before the first. The answer is stored
 * once a second and at its end, however it ends.
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
  const begun = await tools.conversations.beginTurn(start);
  const ended = observeTurn(turn, tools.observers, tools.log);
  yield {
    type: 'session.start',
    conversationId: start.conversation.id,
    messageId: answer.id,
    userMessageId: start.user.id,
    model: start.conversation.model,
    activeSkills: [...activeSkillsOf(turn.records).keys()],
  };
  yield* begun.hasDroppedLines ? linesDropped(answer) : [];
  for (const ended of start.ended.flatMap(endedSkill)) {
    yield { type: 'skill.ended', ...ended };
  }
  const type = 'skill.activation';
  yield* start.activated.map(({ activation }) => ({ type, ...activation }) as const);
  const save = saverOf(turn, tools);
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
  last = await stored(last, save, { ...tools, answer });
  ended(last);
  // Before the reader sees the end, and sends the next message.
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
    const fitting = yield* fitContextWindow(turn, access, tools);
    if (!(yield* ask(turn, { access, fitting, round }, tools))) {
      hadTools = true;
      continue;
    }
    const calls = callsToRun(round, turn.program);
    if (calls.length === 0) {
      assertNotEmpty(answer, round, access);
      keepState(turn, round, answer.rounds?.length ?? 0);
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
    await keepTools(turn, tools);
    // Items of a vendor name all calls: where one has no result, they are no use.
    keepState(turn, round, number);
    if (direct.length > 0) {
      yield takeDirectOutput(direct.join('\n\n'), answer);
      return 'stop';
    }
    rounds += counts ? 1 : 0;
  }
}

/** Keeps the state that the vendor wants back with a round; the last one, without calls, has the next number. */
function keepState({ records, start }: PreparedTurn, { vendorState }: Round, number: number): void {
  if (vendorState !== undefined) {
    answerRecord(records, start.answer).states.set(number, vendorState);
  }
}

/** Throws `model-empty` for an answer without a word that simply ends. */
function assertNotEmpty(answer: AssistantMessage, round: Round, { model }: TurnAccess): void {
  if (answer.content.trim() === '' && round.calls.length === 0 && round.stop !== 'length') {
    const reason = answer.thinking.trim() === '' ? 'no text' : 'thinking, but no text';
    throw emptyAnswerProblem(model.config, `The model sent ${reason}.`);
  }
}

/** What a search has found stays with the conversation. */
async function keepTools(
  { keptTools, start }: PreparedTurn,
  { conversations }: TurnTools,
): Promise<void> {
  const now = keptTools();
  if (now !== start.tools) {
    start.tools = now;
    await conversations.keepTools(placeOf(start), now);
  }
}

/**
 * What the turn may do now, before each request and each call. Ends what was withdrawn. Throws the problem that ends it.
 */
async function* recheckAccess(
  { access, start, records }: PreparedTurn,
  { conversations, signal }: TurnTools,
): AsyncGenerator<ChatEvent, TurnAccess> {
  signal.throwIfAborted();
  // What has just begun has what it began with: others have not even heard of it.
  const isJustBegun = start.isNew && start.answer.rounds === undefined;
  const [allowed, stored] = await Promise.all([
    access(),
    isJustBegun
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
    await conversations.endActivation(placeOf(start), record);
    yield { type: 'skill.ended', name, reason };
  }
  yield* outdatedEvents(records, { view });
  signal.throwIfAborted();
  return allowed;
}

/** What has changed on the disk while the last words were written. A turn that is done ends well in any case. */
async function* refreshOutdatedFlags({ access, records }: PreparedTurn): AsyncGenerator<ChatEvent> {
  const isAnyActive = activeSkillsOf(records).size > 0;
  const allowed = isAnyActive ? await access().catch(() => undefined) : undefined;
  yield* allowed ? outdatedEvents(records, allowed.offered()) : [];
}

interface Asking {
  access: TurnAccess;
  fitting: FittingRequest;
  round: Round;
}

/** One request to the model. False when its server refuses tools: they are not in the next request. */
async function* ask(
  turn: PreparedTurn,
  { access, fitting, round }: Asking,
  { signal, log }: TurnTools,
): AsyncGenerator<ChatEvent, boolean> {
  const { answer } = turn.start;
  const { request, estimated } = fitting;
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
    const sent = estimated ?? overheadTokens(access, turn.language) + tokensOf(request.messages);
    answer.modelCalls ??= [];
    answer.modelCalls.push({ inputTokens, outputTokens, estimated: sent });
    access.noteTokens({ estimated: sent, counted: inputTokens });
  }
  return true;
}

/** From outside: by its user, by a right that is lost, by another node. Or by what went wrong. */
async function endEarly(
  { start, access }: PreparedTurn,
  error: unknown,
  { signal, log }: TurnTools,
): Promise<ChatEvent> {
  const why: unknown = signal.aborted ? signal.reason : error;
  if (why instanceof AnswerTaken || (signal.aborted && !(why instanceof Problem))) {
    return finish(start.answer, why === stoppedByUser ? 'aborted' : 'interrupted');
  }
  log.warn({ error: why }, 'a turn failed');
  const isAdmin = await access().then(
    (now) => now.isAdmin,
    () => false,
  );
  return fail(start.answer, why, isAdmin);
}
