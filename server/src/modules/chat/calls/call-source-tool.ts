import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { Caller } from '../../identity/caller.ts';
import type { ModelToolCall } from '../../models/model.ts';
import { type CallServices, runSourceTool } from '../../tools/run-source-tool.ts';
import type { ToolResult } from '../../tools/tool.ts';
import type { ToolCall } from '../../tools/tool-source.ts';
import type { OfferedTool } from '../../tools/toolbox.ts';

interface CallContext
  extends Omit<ToolCall, 'note' | 'progress' | 'ask' | 'allow' | 'caller' | 'callTool'> {
  /** Tools that this call may call in turn. */
  others: ReadonlyMap<string, OfferedTool> | undefined;
  callerNow: () => Promise<Caller>;
  services: CallServices;
}

/** Runs a call of a source's tool and yields progress events for its user meanwhile. */
export async function* callSourceTool(
  offered: OfferedTool,
  call: ModelToolCall,
  { callerNow, services, ...context }: CallContext,
): AsyncGenerator<ChatEvent, { result: ToolResult; ms: number }> {
  const caller = await callerNow();
  const waiting: ChatEvent[] = [];
  let wake = () => {};
  let isDone = false;
  const emit = (event: ChatEvent) => {
    waiting.push(event);
    wake();
  };
  const running = { ...context, caller, emit };
  const done = runSourceTool(offered, call, { running, services }).finally(() => {
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
