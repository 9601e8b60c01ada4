import { sha256 } from '../../platform/lib/sha256.ts';
import type { AuditLog } from '../../platform/storage/audit-log.ts';
import type { Caller } from '../identity/index.ts';
import type { Receipt, ToolResult } from './tool.ts';
import { getToolDigest } from './tool-digest.ts';
import type { OfferedTool } from './tool-source.ts';

/** Audit entry of a call; never contains arguments or results. */
export interface AuditedCall {
  caller: Pick<Caller, 'id' | 'name'>;
  /** Calls over MCP only know the ID. */
  offered: Pick<OfferedTool, 'id'> & Partial<OfferedTool>;
  input: unknown;
  /** Missing for calls over MCP. */
  conversationId?: string;
  result: Pick<ToolResult, 'isError' | 'summary'>;
  receipt?: Receipt | undefined;
  /** In milliseconds. */
  ms: number;
}

const kind = 'tool' as const;
const maxEntries = 100_000;
const pruneEvery = 500;

/** Audits tool calls and keeps the newest 100,000 entries. */
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
        ...(offered.tool ? { tool: getToolDigest(offered.tool) } : {}),
        arguments: sha256(JSON.stringify(input) ?? ''),
        outcome: result.isError ? result.summary : 'ok',
        ms: Math.round(ms),
        ...(conversationId === undefined ? {} : { conversation: conversationId }),
        ...receipt,
      },
    });
    recorded += 1;
    if (recorded % pruneEvery === 0) {
      await audit.keepNewest(kind, maxEntries);
    }
  };
}

/** Deduplication window in milliseconds, and maximum size of its cache. */
const dedupeMs = 10 * 60_000;
const maxCached = 10_000;

/**
 * Deduplicates repetitive calls of programs, such as reading a skill's files: one entry per ten
 * minutes for the same caller, tool and skill (or arguments). They would flood the log otherwise.
 */
export function dedupeAudit(
  audit: (call: AuditedCall) => Promise<void>,
  now: () => number = Date.now,
): (call: AuditedCall) => Promise<void> {
  const recorded = new Map<string, number>();
  return async (call) => {
    const { caller, offered, input, result, receipt = input } = call;
    const key = sha256(JSON.stringify([caller.id, offered.id, result.isError, receipt]));
    const last = recorded.get(key);
    if (last !== undefined && now() - last < dedupeMs) {
      return;
    }
    recorded.delete(key);
    recorded.set(key, now());
    const [oldest] = recorded.keys();
    if (recorded.size > maxCached && oldest !== undefined) {
      recorded.delete(oldest);
    }
    await audit(call);
  };
}
