import {
  type SkillAddressEvent,
  skillAddressEventSchema,
} from '@knowhow/shared/skills/skill-address';
import type { Visitor } from './start-test-server.ts';

/** Reads a git address over HTTP, and returns all events. Throws unless a stream is the answer. */
export async function readAddress(
  admin: Visitor,
  json: { address: string; ref?: string; path?: string },
  signal?: AbortSignal,
): Promise<SkillAddressEvent[]> {
  const response = await admin('/api/admin/skills/address', { json, ...(signal && { signal }) });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`${response.status} ${text}`);
  }
  return text.split('\n\n').flatMap((frame) => {
    const [, type, data] = /event: (.+)\ndata: (.+)$/.exec(frame) ?? [];
    return type === undefined
      ? []
      : [skillAddressEventSchema.parse({ type, ...JSON.parse(data ?? '') })];
  });
}

/** The report of an address. Throws the problem if it cannot be read. */
export async function reportAddress(
  admin: Visitor,
  json: { address: string; ref?: string; path?: string },
) {
  const last = (await readAddress(admin, json)).at(-1);
  if (last?.type !== 'report') {
    throw new Error(last?.type === 'error' ? last.problem.detail : 'There is no report.');
  }
  return last;
}
