import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { ToolCall } from '@knowhow/shared/chat/conversations';

type ToolEvent = Extract<ChatEvent, { type: `tool.${string}` }>;

/** Applies a tool event to the calls of an answer. */
export function applyToolEvent(calls: readonly ToolCall[], event: ToolEvent): ToolCall[] {
  if (event.type === 'tool.call.start') {
    const { type: _, ...call } = event;
    return [...calls, { ...call, error: false, summary: '', isRunning: true }];
  }
  const at = findCallIndex(calls, event.id);
  return calls.map((call, index) => (index === at ? { ...call, ...getChanges(event) } : call));
}

/** Some models reuse call IDs in each round: the event is about the latest call, or about one nested in it. */
function findCallIndex(calls: readonly ToolCall[], id: string): number {
  const own = calls.findLastIndex((call) => call.id === id);
  return own >= 0 ? own : calls.findLastIndex((call) => id.startsWith(`${call.id}.`));
}

/** Finishes all calls of an ended answer. */
export function endCalls(calls: readonly ToolCall[]): ToolCall[] {
  const end = { error: true, summary: 'stopped', isRunning: false };
  return calls.map((call) =>
    call.isRunning ? { ...call, ...end, progress: undefined, waitsFor: undefined } : call,
  );
}

function getChanges(event: Exclude<ToolEvent, { type: 'tool.call.start' }>): Partial<ToolCall> {
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
