import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import type { ToolResult } from './tool.ts';
import { digestOf } from './tool-digest.ts';
import type { OfferedTool } from './toolbox.ts';

/** What the audit log keeps of a call: never the arguments, nor what it gave. */
export interface AuditedCall {
  caller: Pick<Caller, 'id' | 'name'>;
  /** One that is called from outside is said by its id alone. */
  offered: Pick<OfferedTool, 'id'> & Partial<OfferedTool>;
  input: unknown;
  /** Left out for a call from outside. */
  conversationId?: string;
  result: Pick<ToolResult, 'isError' | 'summary' | 'receipt'>;
  /** Milliseconds. */
  ms: number;
}

const kind = 'tool' as const;
const maxKept = 100_000;
const pruneEvery = 500;

/** Records calls of tools; of all of them the newest 100,000 are kept. */
export function createCallAudit(audit: AuditLog): (call: AuditedCall) => Promise<void> {
  let recorded = 0;
  return async ({ caller, offered, input, conversationId, result, ms }) => {
    const { id: userId, name } = caller;
    await audit.record({
      by: { id: userId, name },
      action: 'called',
      kind,
      target: offered.id,
      after: {
        ...(offered.tool ? { tool: digestOf(offered.tool) } : {}),
        arguments: sha256(JSON.stringify(input) ?? ''),
        outcome: result.isError ? result.summary : 'ok',
        ms: Math.round(ms),
        ...(conversationId === undefined ? {} : { conversation: conversationId }),
        ...result.receipt,
      },
    });
    recorded += 1;
    if (recorded % pruneEvery === 0) {
      await audit.keepNewest(kind, maxKept);
    }
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
