import type { ChatEvent } from '@knowhow/shared/chat/chat';
import {
  type Question,
  type QuestionAnswer,
  questionAnswerSchema,
} from '@knowhow/shared/config/tools';
import { getErrorMessage } from '../../platform/lib/get-error-message.ts';
import type { ConversationFiles } from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';
import type { ModelTool, ModelToolCall } from '../models/index.ts';
import { allows, askConsent, describeForUser } from './ask-consent.ts';
import type { AuditedCall } from './call-audit.ts';
import { type CallClock, type CallLimits, callClock } from './call-clock.ts';
import { findArgumentIssue } from './check-arguments.ts';
import {
  type Receipt,
  type SkillCall,
  type SkillTool,
  type Tool,
  type ToolCall,
  type ToolResult,
  toolError,
} from './tool.ts';
import type { ToolConsents } from './tool-consents.ts';
import type { ToolQuestions } from './tool-questions.ts';
import type { OfferedTool } from './tool-source.ts';
import type { Toolbox } from './toolbox.ts';

/** Dependencies of tool calls. */
export interface CallServices {
  toolbox: Toolbox;
  consents: ToolConsents;
  questions: ToolQuestions;
  audit: (call: AuditedCall) => Promise<void>;
  limits: CallLimits;
  files: ConversationFiles;
}

/** A tool call as its conversation runs it. */
export interface RunningCall
  extends Omit<
    ToolCall,
    'caller' | 'note' | 'progress' | 'ask' | 'allow' | 'consented' | 'callTool'
  > {
  /** The caller with current permissions. Throws if their access has been revoked. */
  callerNow(): Promise<Caller>;
  /** Tools this call may call in turn, by model-facing name. */
  others?: ReadonlyMap<string, OfferedTool> | undefined;
  emit: (event: ChatEvent) => void;
}

/** A call whose caller is known. */
type Called = RunningCall & { caller: Caller };

interface Parts {
  running: Called;
  services: CallServices;
}

/**
 * Runs a tool call: with validated arguments, consent if required, and timeouts. Every outcome is
 * audited and returned as a result. Rejects only with the signal's reason when the call is stopped.
 *
 * @param services may be missing if only skill tools are offered
 */
export async function runTool(
  offered: OfferedTool,
  call: ModelToolCall,
  { running, services }: { running: RunningCall; services: CallServices | undefined },
): Promise<{ result: ToolResult; ms: number }> {
  const { tool } = offered;
  if (isSkillTool(tool)) {
    const began = performance.now();
    const result = await runSkillTool(tool, call.input, running);
    return { result, ms: performance.now() - began };
  }
  if (!services) {
    throw new Error(`${offered.id} was offered without call services.`);
  }
  const caller = await running.callerNow();
  return runAudited(offered, call, { running: { ...running, caller }, services });
}

function isSkillTool(tool: Tool): tool is SkillTool {
  return tool.isSkillTool === true;
}

/** Runs a tool that reads skills, in a conversation or without one. */
export async function runSkillTool(
  tool: SkillTool,
  input: unknown,
  call: SkillCall,
): Promise<ToolResult> {
  try {
    return await tool.run(input, call);
  } catch (error) {
    // A file that is not readable, or was deleted since it was listed.
    if (!(error instanceof Error && 'syscall' in error)) {
      throw error;
    }
    return toolError(
      'A file of this skill cannot be read now. Continue without it.',
      'cannot be read',
    );
  }
}

/**
 * The result for a name that is not offered: the same whether the tool is unknown, forbidden or did
 * not fit.
 */
export function unknownTool(name: string, offered: readonly ModelTool[]): ToolResult {
  const names = offered.map((tool) => tool.name);
  const next =
    names.length === 0
      ? 'Answer without a tool.'
      : names.includes('search_tools')
        ? 'Call one of these, look for another by search_tools, or answer without a tool.'
        : 'Call one of these, or answer without a tool.';
  return toolError(
    `There is no tool "${name}". Available tools: ${names.join(', ') || 'none'}. ${next}`,
    'no such tool',
  );
}

async function runAudited(
  offered: OfferedTool,
  call: ModelToolCall,
  { running, services }: Parts,
): Promise<{ result: ToolResult; ms: number }> {
  let ms = 0;
  let receipt: Receipt | undefined;
  const note: ToolCall['note'] = (more) => {
    receipt = { ...receipt, ...more };
  };
  const attempt = async (): Promise<ToolResult> => {
    const fault = await findArgumentIssue(call.input, offered.tool.parameters);
    if (fault !== undefined) {
      return toolError(
        `The arguments do not fit. ${fault} Call it again with others.`,
        'wrong arguments',
      );
    }
    const consent = await askConsent(offered, call, { running, services });
    if (!consent.given) {
      return toolError(
        `The user did not allow this call of ${call.name}. Do not call it again for this. Continue without it, or say what it was for.`,
        'not allowed',
      );
    }
    const clock = callClock({ ...services.limits, ...offered.tool.limits }, running.signal);
    try {
      const consented = consent.subject;
      return await runInTime(offered, call, {
        running: { ...running, consented, note },
        services,
        clock,
      });
    } finally {
      ms = clock.end();
    }
  };
  const { caller, conversationId } = running;
  const record = (result: AuditedCall['result']) =>
    services.audit({ caller, offered, input: call.input, conversationId, result, receipt, ms });
  const result = await attempt().catch(async (reason: unknown) => {
    await record({ isError: true, summary: 'stopped' });
    throw reason;
  });
  await record(result);
  return { result, ms };
}

/** Maximum questions per call. */
const maxQuestions = 20;

/** Asks a call's questions one at a time; those above the limit are cancelled. */
function askerOf({
  clock,
  ...parts
}: Parts & { id: string; offered: OfferedTool; clock: CallClock }): ToolCall['ask'] {
  let asked = 0;
  let before: Promise<unknown> = Promise.resolve();
  const put = (question: Question, number: number) =>
    clock.paused(() => putQuestion(question, `${parts.id} ${number}`, parts));
  return (question) => {
    asked += 1;
    const number = asked;
    if (number > maxQuestions) {
      return Promise.resolve({ action: 'cancel' });
    }
    const answer = before.then(() => put(question, number));
    before = answer.catch(() => undefined);
    return answer;
  };
}

async function runInTime(
  offered: OfferedTool,
  modelCall: ModelToolCall,
  {
    running,
    services,
    clock,
  }: Parts & { running: Pick<ToolCall, 'note' | 'consented'>; clock: CallClock },
): Promise<ToolResult> {
  const { id, input } = modelCall;
  const { emit, others, callerNow: _, ...context } = running;
  const { signal } = clock;
  const ask = askerOf({ id, offered, running, services, clock });
  let last = '';
  const progress = (text: string) => {
    clock.touch();
    const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
    if (line !== last && line !== '') {
      last = line;
      emit({ type: 'tool.progress', id, text: line });
    }
  };
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const callTool = others && callerOf(others, { offered, running, services, clock }, id);
  const allow: ToolCall['allow'] = ({ shown, subject }) =>
    clock.paused(() =>
      allows(offered, { ...modelCall, input: shown }, { running, services, subject }),
    );
  const asking = { progress, ask, allow };
  const call: ToolCall = { ...context, signal, ...asking, ...(callTool ? { callTool } : {}) };
  try {
    return await Promise.race([offered.tool.run(input, call), aborted]);
  } catch (error) {
    running.signal.throwIfAborted();
    if (signal.aborted) {
      return toolError(
        `${offered.name} took too long and was stopped. Call it with less to do, or continue without it.`,
        'took too long',
      );
    }
    return toolError(`${offered.name} failed: ${shortMessageOf(error)}`, 'failed');
  }
}

/** Maximum nested calls per call. */
const maxCalls = 100;

/** Lets a call run other tools; nested calls cannot call further tools. */
function callerOf(
  others: ReadonlyMap<string, OfferedTool>,
  { offered, running, services, clock }: Parts & { offered: OfferedTool; clock: CallClock },
  id: string,
): NonNullable<ToolCall['callTool']> {
  const usable = [...others].filter(([, other]) => other.id !== offered.id);
  let callCount = 0;
  return async (name, input) => {
    const [known, other] =
      usable.find(([each]) => each === name) ??
      usable.find(([, { tool }]) => tool.name === name) ??
      [];
    if (!known || !other) {
      return undefined;
    }
    callCount += 1;
    if (callCount > maxCalls) {
      return toolError(`One call makes at most ${maxCalls} others.`, 'too many calls');
    }
    const call = { id: `${id}.${callCount}`, name: known, input };
    const { others: _, ...inner } = { ...running, signal: clock.signal };
    const ran = await clock.paused(() => runAudited(other, call, { running: inner, services }));
    return ran.result;
  };
}

const maxMessageLength = 2000;

function shortMessageOf(error: unknown): string {
  const text = getErrorMessage(error);
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}

async function putQuestion(
  question: Question,
  key: string,
  { id, offered, running, services }: Parts & { id: string; offered: OfferedTool },
): Promise<QuestionAnswer> {
  const { conversationId, signal, emit } = running;
  const { questions, limits } = services;
  const { answerTimeoutMs } = limits;
  const pending = await questions.open({ conversationId, id: key, answerTimeoutMs, signal });
  const { expiresAt, answered } = pending;
  emit({
    type: 'tool.question',
    id,
    question: key,
    ...describeForUser(offered),
    ...question,
    expiresAt,
  });
  const answer = await answered;
  emit({ type: 'tool.answered', id });
  return questionAnswerSchema.catch({ action: 'cancel' }).parse(answer);
}
