import type { ChatEvent } from '@knowhow/shared/chat';
import {
  type ConsentDecision,
  consentDecisions,
  type Question,
  type QuestionAnswer,
  questionAnswerSchema,
} from '@knowhow/shared/tools';
import { z } from 'zod';
import type { ModelToolCall } from '../models/model.ts';
import type { AuditedCall } from './call-audit.ts';
import { type CallClock, type CallLimits, callClock } from './call-clock.ts';
import { faultOfArguments } from './check-arguments.ts';
import { refusal, type ToolResult } from './tool.ts';
import type { ToolConsents } from './tool-consents.ts';
import type { ToolQuestions } from './tool-questions.ts';
import type { ToolCall } from './tool-source.ts';
import type { OfferedTool, Toolbox } from './toolbox.ts';

/** What calls of tools need beside the tools. */
export interface CallServices {
  toolbox: Toolbox;
  consents: ToolConsents;
  questions: ToolQuestions;
  audit: (call: AuditedCall) => Promise<void>;
  limits: CallLimits;
}

interface Running extends Omit<ToolCall, 'progress' | 'ask' | 'callTool'> {
  /** What the call may call in turn, by the names that models know. */
  others?: ReadonlyMap<string, OfferedTool> | undefined;
  emit: (event: ChatEvent) => void;
}

/**
 * Runs a call of a tool of a source: with its user's consent where that is wanted, with arguments that fit
 * its schema, within its time. Whatever happens is a result, and an entry in the audit log; rejects only
 * with the reason of the signal.
 */
export async function runSourceTool(
  offered: OfferedTool,
  call: ModelToolCall,
  { running, services }: { running: Running; services: CallServices },
): Promise<{ result: ToolResult; ms: number }> {
  let ms = 0;
  const attempt = async (): Promise<ToolResult> => {
    const fault = await faultOfArguments(call.input, offered.tool.parameters);
    if (fault !== undefined) {
      return refusal(
        `The arguments do not fit. ${fault} Call it again with others.`,
        'wrong arguments',
      );
    }
    if (!(await isConsented(offered, call, { running, services }))) {
      return refusal(
        `The user did not allow this call of ${call.name}. Do not call it again for this. Go on without it, or say what it was for.`,
        'not allowed',
      );
    }
    const clock = callClock({ ...services.limits, ...offered.tool.limits }, running.signal);
    try {
      return await runInTime(offered, call, { running, services, clock });
    } finally {
      ms = clock.end();
    }
  };
  const result = await attempt();
  const { caller, conversationId } = running;
  await services.audit({ caller, offered, input: call.input, conversationId, result, ms });
  return { result, ms };
}

interface Parts {
  running: Running;
  services: CallServices;
}

async function isConsented(
  offered: OfferedTool,
  { id, name, input }: ModelToolCall,
  { running, services }: Parts,
): Promise<boolean> {
  const { consents, questions, toolbox, limits } = services;
  const { conversationId, signal, emit } = running;
  if (!toolbox.asks(offered) || (await consents.has(offered, running))) {
    return true;
  }
  const { patience } = limits;
  const pending = await questions.open({ conversationId, id: consentKey(id), patience, signal });
  emit({
    type: 'tool.consent',
    ...{ id, name, input, expiresAt: pending.expiresAt },
    ...shownAs(offered),
    isDestructive: offered.tool.hints.destructive && !offered.tool.hints.readOnly,
  });
  const decision = z
    .enum(consentDecisions)
    .catch('deny')
    .parse(await pending.answered);
  emit({ type: 'tool.answered', id });
  await consents.keep(offered, running, decision);
  return decision !== 'deny';
}

/** Under which the decision on a call is waited for. */
function consentKey(call: string): string {
  return `consent ${call}`;
}

/** Lets a waiting call run, or not. False when none of that name waits. */
export function decide(
  questions: ToolQuestions,
  { conversationId, callId }: { conversationId: string; callId: string },
  decision: ConsentDecision,
): Promise<boolean> {
  return questions.answer(conversationId, consentKey(callId), decision);
}

/** What people are shown of a tool: its name and that of its source, as they are known to us. */
export function shownAs({ source, tool }: OfferedTool): { title: string; source: string } {
  return { title: tool.title ?? tool.name, source: source.title };
}

async function runInTime(
  offered: OfferedTool,
  { id, input }: ModelToolCall,
  { running, services, clock }: Parts & { clock: CallClock },
): Promise<ToolResult> {
  const { emit, others, ...context } = running;
  const { signal } = clock;
  let asked = 0;
  const ask = async (question: Question): Promise<QuestionAnswer> => {
    asked += 1;
    const goOn = clock.pause();
    try {
      return await putQuestion(question, `${id} ${asked}`, { id, offered, running, services });
    } finally {
      goOn();
    }
  };
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
  const call: ToolCall = { ...context, signal, progress, ask, ...(callTool ? { callTool } : {}) };
  try {
    return await Promise.race([offered.tool.run(input, call), aborted]);
  } catch (error) {
    running.signal.throwIfAborted();
    if (signal.aborted) {
      return refusal(
        `${offered.name} took too long and was stopped. Call it with less to do, or go on without it.`,
        'took too long',
      );
    }
    return refusal(`${offered.name} failed: ${messageOf(error)}`, 'failed');
  }
}

/** So many calls one call may make. */
const mostCalls = 100;

/** Calls of other tools from within a call; none of these may call any further. */
function callerOf(
  others: ReadonlyMap<string, OfferedTool>,
  { offered, running, services, clock }: Parts & { offered: OfferedTool; clock: CallClock },
  id: string,
): NonNullable<ToolCall['callTool']> {
  const usable = [...others].filter(([, other]) => other.id !== offered.id);
  let made = 0;
  return async (name, input) => {
    const [known, other] =
      usable.find(([each]) => each === name) ??
      usable.find(([, { tool }]) => tool.name === name) ??
      [];
    if (!known || !other) {
      return undefined;
    }
    made += 1;
    if (made > mostCalls) {
      return refusal(`One call makes at most ${mostCalls} others.`, 'too many calls');
    }
    const call = { id: `${id}.${made}`, name: known, input };
    const { others: _, ...inner } = { ...running, signal: clock.signal };
    const goOn = clock.pause();
    try {
      return (await runSourceTool(other, call, { running: inner, services })).result;
    } finally {
      goOn();
    }
  };
}

const longestMessage = 2000;

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}

async function putQuestion(
  question: Question,
  key: string,
  { id, offered, running, services }: Parts & { id: string; offered: OfferedTool },
): Promise<QuestionAnswer> {
  const { conversationId, signal, emit } = running;
  const { questions, limits } = services;
  const { patience } = limits;
  const pending = await questions.open({ conversationId, id: key, patience, signal });
  const { expiresAt, answered } = pending;
  emit({ type: 'tool.question', id, question: key, ...shownAs(offered), ...question, expiresAt });
  const answer = await answered;
  emit({ type: 'tool.answered', id });
  return questionAnswerSchema.catch({ action: 'cancel' }).parse(answer);
}
