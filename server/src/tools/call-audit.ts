import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import type { ToolResult } from './tool.ts';
import { digestOf } from './tool-digest.ts';
import type { Receipt } from './tool-source.ts';
import type { OfferedTool } from './toolbox.ts';

/** What the audit log keeps of a call: never the arguments, nor what it gave. */
export interface AuditedCall {
  caller: Pick<Caller, 'id' | 'name'>;
  /** One that is called from outside is said by its id alone. */
  offered: Pick<OfferedTool, 'id'> & Partial<OfferedTool>;
  input: unknown;
  /** Left out for a call from outside. */
  conversationId?: string;
  result: Pick<ToolResult, 'isError' | 'summary'>;
  receipt?: Receipt | undefined;
  /** Milliseconds. */
  ms: number;
}

const kind = 'tool' as const;
const maxKept = 100_000;
const pruneEvery = 500;

/** Records calls of tools; of all of them the newest 100,000 are kept. */
export function createCallAudit(audit: AuditLog): (call: AuditedCall) => Promise<void> {
  let recorded = 0;
  return async ({ caller, offered, input, conversationId, result, receipt, ms }) => {
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
        ...receipt,
      },
    });
    recorded += 1;
    if (recorded % pruneEvery === 0) {
      await audit.keepNewest(kind, maxKept);
    }
  };
}

/** So long the same is not recorded again, in milliseconds; and so much of what was recorded is known. */
const restMs = 10 * 60_000;
const mostKnown = 10_000;

/**
 * Records what programs do over and over, such as reading the files of a skill: once in ten minutes for the same
 * caller, tool and skill, or arguments where no skill is named. It would push all else out of the log.
 */
export function auditSparingly(
  audit: (call: AuditedCall) => Promise<void>,
  now: () => number = Date.now,
): (call: AuditedCall) => Promise<void> {
  const recorded = new Map<string, number>();
  return async (call) => {
    const { caller, offered, input, result, receipt = input } = call;
    const key = sha256(JSON.stringify([caller.id, offered.id, result.isError, receipt]));
    const last = recorded.get(key);
    if (last !== undefined && now() - last < restMs) {
      return;
    }
    recorded.delete(key);
    recorded.set(key, now());
    const [oldest] = recorded.keys();
    if (recorded.size > mostKnown && oldest !== undefined) {
      recorded.delete(oldest);
    }
    await audit(call);
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
