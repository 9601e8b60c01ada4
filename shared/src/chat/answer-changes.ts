import { type ChatEvent, type NoticeCode, noticeCodes } from './chat.ts';
import { type AssistantMessage, statusForFinishReason, type ToolCall } from './conversations.ts';

type ToolEvent = Extract<ChatEvent, { type: `tool.${string}` }>;

/**
 * The fields of an answer that an event of its turn changes (reducer). The server and the client build the answer with
 * it, so that a reader sees what is stored. Events that do not concern the answer change nothing.
 */
export function getAnswerChanges(
  answer: AssistantMessage,
  event: ChatEvent,
): Partial<AssistantMessage> {
  switch (event.type) {
    case 'chunk':
      return { content: answer.content + event.content };
    case 'thinking':
      return { thinking: answer.thinking + event.content };
    case 'chunk.was-thinking': {
      const { content, thinking } = answer;
      const end = Math.max(0, content.length - event.characters);
      return { content: content.slice(0, end), thinking: thinking + content.slice(end) };
    }
    case 'skill.activation': {
      const { type: _, ...activation } = event;
      return { activations: [...answer.activations, activation] };
    }
    case 'skill.ended': {
      const { type: _, ...end } = event;
      return { ended: [...answer.ended, end] };
    }
    case 'tool.call.start':
      return { toolCalls: startCall(answer.toolCalls, event), rounds: addToRound(answer, event) };
    case 'tool.progress':
    case 'tool.consent':
    case 'tool.question':
    case 'tool.answered':
    case 'tool.call.end':
      return { toolCalls: changeCall(answer.toolCalls, event) };
    case 'notice':
      return isNoticeCode(event.code)
        ? { notices: [...new Set([...(answer.notices ?? []), event.code])] }
        : {};
    case 'usage':
      return { usage: { inputTokens: event.inputTokens, outputTokens: event.outputTokens } };
    case 'done':
      return {
        toolCalls: endCalls(answer.toolCalls),
        status: statusForFinishReason(event.finishReason),
        finishReason: event.finishReason,
      };
    case 'error': {
      const { type: _, ...error } = event;
      return { toolCalls: endCalls(answer.toolCalls), status: 'failed', error };
    }
    case 'session.start':
    case 'skill.outdated':
      return {};
  }
}

/** Ends the running calls of an answer that has ended. */
export function endCalls(calls: readonly ToolCall[]): ToolCall[] {
  return calls.map((call) =>
    call.isRunning ? { ...call, error: true, summary: 'stopped', ...notRunning } : call,
  );
}

const notRunning = { isRunning: undefined, progress: undefined, waitsFor: undefined };

function startCall(
  calls: readonly ToolCall[],
  { type: _, round: __, ...call }: Extract<ToolEvent, { type: 'tool.call.start' }>,
): ToolCall[] {
  return [...calls, { ...call, error: false, summary: '', isRunning: true }];
}

/** The text of a round ends where its first call starts. */
function addToRound(
  { content, rounds = [] }: AssistantMessage,
  { round }: Extract<ToolEvent, { type: 'tool.call.start' }>,
): AssistantMessage['rounds'] {
  const known = rounds[round] ?? { end: content.length, calls: 0 };
  return [...rounds.slice(0, round), { ...known, calls: known.calls + 1 }];
}

function changeCall(
  calls: readonly ToolCall[],
  event: Exclude<ToolEvent, { type: 'tool.call.start' }>,
): ToolCall[] {
  const at = findCallIndex(calls, event.id);
  return calls.map((call, index) => (index === at ? { ...call, ...getCallChanges(event) } : call));
}

/** Some models reuse call IDs in each round: the event is about the latest call, or about one nested in it. */
function findCallIndex(calls: readonly ToolCall[], id: string): number {
  const own = calls.findLastIndex((call) => call.id === id);
  return own >= 0 ? own : calls.findLastIndex((call) => id.startsWith(`${call.id}.`));
}

function getCallChanges(event: Exclude<ToolEvent, { type: 'tool.call.start' }>): Partial<ToolCall> {
  switch (event.type) {
    case 'tool.progress':
      return { progress: event.text };
    case 'tool.consent': {
      const { type: _, name: _name, id: callId, ...about } = event;
      return { waitsFor: { type: 'consent', callId, ...about } };
    }
    case 'tool.question': {
      const { type: _, id: _id, ...about } = event;
      return { waitsFor: { type: 'question', ...about } };
    }
    case 'tool.answered':
      return { waitsFor: undefined };
    case 'tool.call.end': {
      const { error = false, summary = '', ms, files } = event;
      return { error, summary, ms, files, ...notRunning };
    }
  }
}

function isNoticeCode(code: string): code is NoticeCode {
  return (noticeCodes as readonly string[]).includes(code);
}
