import { holdsRight } from '@knowhow/shared/access/admin-rights';
import type { Request } from 'express';
import { type Caller, rightsListed } from '../../../platform/http/caller.ts';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import type { SkillWrite } from '../skills/skill-admin.ts';

interface WriteCall<Params> {
  caller: Caller;
  params: Params;
  query: { message?: string | undefined; override?: string | undefined };
  request: Request;
}

/** The context of a write of a skill's files: author, target, message, and where it comes from. */
export function getSkillWrite<Params>(call: WriteCall<Params>): Params & Omit<SkillWrite, 'name'> {
  return {
    ...getChangeContext(call),
    message: call.query.message,
    reason: call.query.override,
    origin: { kind: isOfPage(call.request) ? 'page' : 'api' },
    isPublisher: isPublisher(call.caller),
  };
}

/** Whether the caller holds the right to publish. */
export function isPublisher({ permissions }: Caller): boolean {
  return holdsRight(rightsListed(permissions.adminAccess), ['publish']);
}

/** Browsers send `Origin` with each write of a page; programs do not. */
export function isOfPage(request: Request): boolean {
  return request.get('origin') !== undefined;
}
