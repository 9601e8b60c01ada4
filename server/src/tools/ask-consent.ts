import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { type ConsentDecision, consentDecisions } from '@knowhow/shared/config/tools';
import { z } from 'zod';
import type { ModelToolCall } from '../models/model.ts';
import type { ToolConsents } from './tool-consents.ts';
import { digestOf } from './tool-digest.ts';
import type { ToolQuestions } from './tool-questions.ts';
import type { ConsentSubject, ToolCall } from './tool-source.ts';
import type { OfferedTool, Toolbox } from './toolbox.ts';

interface Asking {
  running: Pick<ToolCall, 'signal' | 'caller' | 'conversationId' | 'view' | 'active'> & {
    emit: (event: ChatEvent) => void;
  };
  services: {
    toolbox: Toolbox;
    consents: ToolConsents;
    questions: ToolQuestions;
    /** Milliseconds that an answer of the user is waited for. */
    limits: { patience: number };
  };
}

interface Consent {
  given: boolean;
  /** The digest of what it is for, where that is less than the tool. */
  subject?: string | undefined;
}

/** Whether a call may run: because nobody has to be asked, or by what its user says now or has said before. */
export async function askConsent(
  offered: OfferedTool,
  call: ModelToolCall,
  { running, services }: Asking,
): Promise<Consent> {
  const { consents, toolbox } = services;
  const { tool } = offered;
  if (!tool.consentFor) {
    const whole = { id: offered.id, digest: digestOf(tool) };
    const isFree = !toolbox.asks(offered) || (await consents.has(whole, running));
    return { given: isFree || (await ask(offered, call, { running, services, subject: whole })) };
  }
  const subject = await tool.consentFor(call.input, running);
  const given = !subject || (await allows(offered, call, { running, services, subject }));
  return { given, subject: subject?.digest };
}

/** Whether its user lets a call do this, now or by what they have said of it before. */
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
    // Nobody would ever answer.
    return false;
  }
  const { patience } = limits;
  const { readOnly, destructive, isAssumed } = offered.tool.hints;
  const pending = await questions.open({ conversationId, id: consentKey(id), patience, signal });
  emit({
    type: 'tool.consent',
    ...{ id, name, input, expiresAt: pending.expiresAt },
    ...shownAs(offered),
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
