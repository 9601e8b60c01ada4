import type { ChatEvent } from '@knowhow/shared/chat/chat';
import {
  type ConsentDecision,
  consentDecisions,
  type ToolLabel,
} from '@knowhow/shared/config/tools';
import { z } from 'zod';
import type { ModelToolCall } from '../models/index.ts';
import type { ConsentSubject, ToolCall } from './tool.ts';
import type { ToolConsents } from './tool-consents.ts';
import { getToolDigest } from './tool-digest.ts';
import type { ToolQuestions } from './tool-questions.ts';
import type { OfferedTool } from './tool-source.ts';
import type { Toolbox } from './toolbox.ts';

interface Asking {
  running: Pick<ToolCall, 'signal' | 'caller' | 'conversationId' | 'view' | 'active'> & {
    emit: (event: ChatEvent) => void;
  };
  services: {
    toolbox: Toolbox;
    consents: ToolConsents;
    questions: ToolQuestions;
    /** Maximum wait for the user's decision, in milliseconds. */
    limits: { answerTimeoutMs: number };
  };
}

interface Consent {
  given: boolean;
  /** Digest of what the consent covers, if that is less than the whole tool. */
  subject?: string | undefined;
}

/** Whether a call may run: no consent is needed, it was given before, or the user gives it now. */
export async function askConsent(
  offered: OfferedTool,
  call: ModelToolCall,
  { running, services }: Asking,
): Promise<Consent> {
  const { consents, toolbox } = services;
  const { tool } = offered;
  if (!tool.consentFor) {
    const whole = { id: offered.id, digest: getToolDigest(tool) };
    const isFree = !toolbox.asks(offered) || (await consents.has(whole, running));
    return { given: isFree || (await ask(offered, call, { running, services, subject: whole })) };
  }
  const subject = await tool.consentFor(call.input, running);
  const given = !subject || (await allows(offered, call, { running, services, subject }));
  return { given, subject: subject?.digest };
}

/** Whether the user consents to this subject, now or earlier. */
export async function allows(
  offered: OfferedTool,
  call: ModelToolCall,
  { subject, ...asking }: Asking & { subject: ConsentSubject },
): Promise<boolean> {
  const { running, services } = asking;
  return (
    subject.isApproved ||
    (await services.consents.has(subject, running)) ||
    ask(offered, call, { ...asking, subject })
  );
}

async function ask(
  offered: OfferedTool,
  { id, name, input }: ModelToolCall,
  {
    running,
    services: { consents, questions, limits },
    subject,
  }: Asking & { subject: { id: string; digest: string } },
): Promise<boolean> {
  const { conversationId, signal, emit } = running;
  if (running.caller.isService) {
    // Service accounts have no user to ask.
    return false;
  }
  const { answerTimeoutMs } = limits;
  const { readOnly, destructive, isAssumed } = offered.tool.hints;
  const pending = await questions.open({
    conversationId,
    id: consentKey(id),
    answerTimeoutMs,
    signal,
  });
  emit({
    type: 'tool.consent',
    id,
    name,
    input,
    expiresAt: pending.expiresAt,
    ...describeForUser(offered),
    isDestructive: destructive && !readOnly,
    isAssumed,
  });
  const decision = z
    .enum(consentDecisions)
    .catch('deny')
    .parse(await pending.answered);
  emit({ type: 'tool.answered', id });
  await consents.keep(subject, running, decision);
  return decision !== 'deny';
}

/** Question ID of a call's consent. */
function consentKey(call: string): string {
  return `consent ${call}`;
}

/** Answers a pending consent. False if none is waiting under this ID. */
export function decide(
  questions: ToolQuestions,
  { conversationId, callId }: { conversationId: string; callId: string },
  decision: ConsentDecision,
): Promise<boolean> {
  return questions.answer(conversationId, consentKey(callId), decision);
}

/** How a tool is presented to users: names as configured here, or keys of texts for built-in tools. */
export function describeForUser({ source, tool }: OfferedTool): ToolLabel {
  return {
    title: tool.title ?? tool.name,
    source: source.title,
    ...(tool.textsIn ? { toolKey: tool.name } : {}),
    ...(source.titleKey ? { sourceKey: source.titleKey } : {}),
  };
}
