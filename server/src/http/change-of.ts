import type { Request } from 'express';
import type { Caller } from '../access/caller.ts';
import { expectedChecksum } from './if-match.ts';

/** Who changes which thing, and what they saw of it before. */
export function changeOf<Params>({
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
