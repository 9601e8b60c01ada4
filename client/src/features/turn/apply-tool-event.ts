import type { ChatEvent } from '@knowhow/shared/chat';
import type { ToolCall } from '@knowhow/shared/conversations';

type ToolEvent = Extract<ChatEvent, { type: `tool.${string}` }>;

/** The calls of an answer after an event of one of them. */
export function applyToolEvent(calls: readonly ToolCall[], event: ToolEvent): ToolCall[] {
  if (event.type === 'tool.call.start') {
    const { type: _, ...call } = event;
    return [...calls, { ...call, error: false, summary: '', isRunning: true }];
  }
  // Some models give the calls of each round the same ids: it is about the newest.
  const at = calls.findLastIndex(({ id }) => id === event.id);
  return calls.map((call, index) => (index === at ? { ...call, ...changesBy(event) } : call));
}

/** The calls of an answer that is over: none of them goes on. */
export function endCalls(calls: readonly ToolCall[]): ToolCall[] {
  const end = { error: true, summary: 'stopped', isRunning: false };
  return calls.map((call) =>
    call.isRunning ? { ...call, ...end, progress: undefined, waitsFor: undefined } : call,
  );
}

function changesBy(event: Exclude<ToolEvent, { type: 'tool.call.start' }>): Partial<ToolCall> {
  switch (event.type) {
    case 'tool.progress':
      return { progress: event.text };
    case 'tool.consent': {
      const { input, isDestructive, isAssumed, expiresAt } = event;
      return { waitsFor: { type: 'consent', input, isDestructive, isAssumed, expiresAt } };
    }
    case 'tool.question': {
      const { question, message, fields, url, expiresAt } = event;
      return { waitsFor: { type: 'question', question, message, fields, url, expiresAt } };
    }
    case 'tool.answered':
      return { waitsFor: undefined };
    case 'tool.call.end': {
      const { error = false, summary = '', ms, files } = event;
      return {
        error,
        summary,
        ms,
        files,
        isRunning: false,
        progress: undefined,
        waitsFor: undefined,
      };
    }
  }
}
