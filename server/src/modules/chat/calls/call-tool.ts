import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { ModelToolCall } from '../../models/model.ts';
import { type CallServices, type RunningCall, runTool } from '../../tools/run-tool.ts';
import type { ToolResult } from '../../tools/tool.ts';
import type { OfferedTool } from '../../tools/tool-source.ts';

/** Runs a tool call and yields progress events for its user meanwhile. */
export async function* callTool(
  offered: OfferedTool,
  call: ModelToolCall,
  { services, ...context }: Omit<RunningCall, 'emit'> & { services: CallServices | undefined },
): AsyncGenerator<ChatEvent, { result: ToolResult; ms: number }> {
  const waiting: ChatEvent[] = [];
  let wake = () => {};
  let isDone = false;
  const emit = (event: ChatEvent) => {
    waiting.push(event);
    wake();
  };
  const done = runTool(offered, call, { running: { ...context, emit }, services }).finally(() => {
    isDone = true;
    wake();
  });
  // Awaited below; the handler avoids an unhandled rejection until then.
  done.catch(() => undefined);
  for (;;) {
    const next = waiting.shift();
    if (next) {
      yield next;
    } else if (isDone) {
      return await done;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
