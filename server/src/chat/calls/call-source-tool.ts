import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { Caller } from '../../access/caller.ts';
import type { ModelToolCall } from '../../models/model.ts';
import { type CallServices, runSourceTool } from '../../tools/run-source-tool.ts';
import type { ToolResult } from '../../tools/tool.ts';
import type { ToolCall } from '../../tools/tool-source.ts';
import type { OfferedTool } from '../../tools/toolbox.ts';

interface Calling
  extends Omit<ToolCall, 'note' | 'progress' | 'ask' | 'allow' | 'caller' | 'callTool'> {
  /** What the call may call in turn. */
  others: ReadonlyMap<string, OfferedTool> | undefined;
  callerNow: () => Promise<Caller>;
  services: CallServices;
}

/** Runs a call of a tool of a source, and yields meanwhile what its user is to see of it. */
export async function* callSourceTool(
  offered: OfferedTool,
  call: ModelToolCall,
  { callerNow, services, ...context }: Calling,
): AsyncGenerator<ChatEvent, { result: ToolResult; ms: number }> {
  const caller = await callerNow();
  const waiting: ChatEvent[] = [];
  let wake = () => {};
  let isOver = false;
  const emit = (event: ChatEvent) => {
    waiting.push(event);
    wake();
  };
  const running = { ...context, caller, emit };
  const done = runSourceTool(offered, call, { running, services }).finally(() => {
    isOver = true;
    wake();
  });
  // It is awaited below; until then nobody else looks after it.
  done.catch(() => undefined);
  for (;;) {
    const next = waiting.shift();
    if (next) {
      yield next;
    } else if (isOver) {
      return await done;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
