import type { Request } from 'express';
import type { Caller } from './caller.ts';
import { expectedChecksum } from './if-match.ts';

/** The context of a change: user, target, and the checksum that the client expects (optimistic locking). */
export function getChangeContext<Params>({
  caller,
  params,
  request,
}: {
  caller: Caller;
  params: Params;
  request: Request;
}) {
  const by = { id: caller.id, name: caller.name };
  return { ...params, by, expected: expectedChecksum(request) };
}
