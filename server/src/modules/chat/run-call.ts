import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { StoredFile } from '@knowhow/shared/config/tools';
import { countTokens, exceedsTokens, truncateToTokens } from '@knowhow/shared/count-tokens';
import { getActiveSkills, type Records } from '../conversations/index.ts';
import type { ModelToolCall } from '../models/index.ts';
import type { ActiveSkills } from '../skills/index.ts';
import {
  describeForUser,
  knowhowSource,
  type OfferedTool,
  publicCallId,
  runTool,
  type SkillCall,
  type ToolResult,
  toolError,
  unknownTool,
} from '../tools/index.ts';
import { collectTexts } from './attached/render-attached.ts';
import { calibratedWindow } from './calibrated-window.ts';
import type { Journal } from './journal.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { maxActiveSkills } from './start-skills.ts';
import { textModel } from './text-model.ts';
import type { TurnAccess } from './turn-access.ts';

/** Maximum tokens of a result. */
const maxResultTokens = 64_000;

const minResultTokens = 200;

/** Token budget of the next tool result, so that the current turn still fits the context window. */
function resultTokenBudget(records: Records, access: TurnAccess): number {
  const [user, answer] = records.messages.slice(-2);
  const results = (answer && records.answers.get(answer.id)?.results) ?? [];
  const activated = records.activations.filter(({ messageId }) => messageId === user?.id);
  const texts = [...collectTexts(user, records.attached), ...results.map(({ content }) => content)];
  const used =
    activated.reduce((sum, { activation }) => sum + activation.tokens, 0) +
    texts.reduce((sum, text) => sum + countTokens(text), 0);
  return Math.max(
    minResultTokens,
    Math.min(maxResultTokens, calibratedWindow(records, access).request / 2 - used),
  );
}

/** Truncates a result to a token budget and appends a notice if it was truncated. */
function truncateResult(content: string, tokens: number): string {
  const first = truncateToTokens(content, tokens);
  return first === content
    ? content
    : `${first}\n\n[The result was too long and was truncated here. Ask for a smaller part of it.]`;
}

/** Drops the arguments of a call if they exceed the token budget. */
function limitArguments(
  call: ModelToolCall,
  budget: number,
): { call: ModelToolCall; isTooLong: boolean } {
  const isTooLong = exceedsTokens(JSON.stringify(call.input) ?? '', budget);
  return { call: isTooLong ? { ...call, input: {} } : call, isTooLong };
}

/** Maximum tool calls per answer, and maximum repetitions of the same call. */
const maxCalls = 32;
const maxRepeats = 2;

const tooLong = toolError(
  'The arguments of this call were too long, and were not read. Call the tool again with short ones, or answer without it.',
  'arguments too long',
);

/** Refusal for a call that exceeds a limit; undefined if the call may run. */
function refuse(
  { call, isTooLong }: { call: ModelToolCall; isTooLong: boolean },
  { toolCalls }: AssistantMessage,
): ToolResult | undefined {
  if (toolCalls.length >= maxCalls) {
    return toolError(
      `No more tools can be called for this answer: ${maxCalls} calls are the limit. Answer with what you have.`,
      'too many calls',
    );
  }
  if (call.issue) {
    return toolError(call.issue.message, call.issue.summary);
  }
  if (isTooLong) {
    return tooLong;
  }
  const written = JSON.stringify(call.input);
  const repeats = toolCalls.filter(
    ({ name, input }) => name === call.name && JSON.stringify(input) === written,
  );
  return repeats.length < maxRepeats
    ? undefined
    : toolError(
        `You have this already: this very call was answered ${repeats.length} times above. Go on with what it gave.`,
        'called before',
      );
}

interface CallContext {
  turn: PreparedTurn;
  access: TurnAccess;
  /** Index of the call's round in the answer. */
  round: number;
  misses: SkillCall['misses'];
  journal: Journal;
}

/** Runs a tool call of the model and records it. */
export async function runCall(
  requested: ModelToolCall,
  { turn, access, round, misses, journal }: CallContext,
): Promise<ToolResult> {
  const { start, records } = turn;
  const budget = resultTokenBudget(records, access);
  const { call, isTooLong } = limitArguments(requested, budget);
  const { id, name, input } = call;
  const offered = access.offered().runnable.get(name);
  const shown = offered && offered.source !== knowhowSource ? describeForUser(offered) : {};
  const refused =
    refuse({ call, isTooLong }, start.answer) ??
    (offered ? undefined : unknownTool(name, access.offered().tools));
  await journal.record({ type: 'tool-started', id, name, input, round, ...shown });
  const number = start.answer.toolCalls.length - 1;
  const active = getActiveSkills(records);
  const at = Date.now();
  const began = performance.now();
  const run = async (): Promise<CallOutcome> =>
    offered && !refused
      ? runOffered(offered, call, { turn, access, active, budget, misses, journal })
      : { result: refused ?? stopped };
  const { result, files = [], ms = performance.now() - began } = await run();
  const skill = result.activation && active.get(result.activation.name);
  if (skill) {
    await journal.record({ type: 'skill-activated', skill, call: number });
  }
  const content = skill ? '' : truncateResult(result.content, budget);
  await journal.record({
    type: 'tool-ended',
    id,
    name,
    sourceId: offered?.source.id,
    isSkillTool: offered?.tool.isSkillTool === true,
    result: { ...result, content },
    files,
    at,
    ms,
  });
  return result;
}

interface CallOutcome {
  result: ToolResult;
  files?: StoredFile[];
  /** Duration without waiting for the user; measured by the caller if absent. */
  ms?: number;
}

interface OfferedCall extends Pick<CallContext, 'turn' | 'access' | 'misses' | 'journal'> {
  active: ActiveSkills;
  /** Maximum tokens of the result. */
  budget: number;
}

/** Runs an offered tool. A call that is aborted is reported as stopped, because it may already have had effects. */
async function runOffered(
  offered: OfferedTool,
  call: ModelToolCall,
  { turn, access, active, budget, misses, journal }: OfferedCall,
): Promise<CallOutcome> {
  const { callServices: services, callerNow, records, start } = turn;
  const { app, config, model } = access;
  const { signal } = journal;
  const conversationId = start.conversation.id;
  const { view, callableTools } = access.offered();
  let isRunning = true;
  const running = {
    callerNow,
    signal,
    conversationId,
    view,
    active,
    maxActiveSkills: maxActiveSkills(app, config),
    modelSees: model.config.supportsVision,
    resultTokenBudget: budget,
    maxSkillTokens: calibratedWindow(records, access).skill,
    misses,
    model: textModel(turn, access, signal),
    others: callableTools?.(),
    emit: (event: ChatEvent) => {
      if (isRunning) {
        journal.showProgress(event);
      }
    },
  };
  try {
    const asked = { ...call, id: publicCallId(call.id) };
    const { result, ms } = await runTool(offered, asked, { running, services });
    const { files = [] } = result;
    const at = { conversationId, messageId: start.answer.id };
    const stored = services && files.length > 0 ? await services.files.keep(files, at) : [];
    return { result, ms, files: stored };
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
    return { result: stopped };
  } finally {
    isRunning = false;
  }
}

const stopped = toolError(
  'This call was stopped before it had answered. What it had done by then is not known.',
  'stopped',
);
