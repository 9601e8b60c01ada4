import { sharedPromptsApi, userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { localize } from '@knowhow/shared/config/localized';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import type { AccessAudit } from '../access-audit.ts';
import type { Caller } from '../caller.ts';
import {
  addPrompt,
  allShared,
  changePrompt,
  endSharing,
  ownPrompts,
  removePrompt,
} from '../user-prompts.ts';

interface Dependencies {
  database: Database;
  contents: () => Contents;
  audit: AuditLog;
  accessAudit: AccessAudit;
}

const guestMessage = 'A guest has no prompts of their own.';

/** Routes for prompts that users write and share with their groups. */
export function userPromptRoutes(router: Router, dependencies: Dependencies): void {
  const { database, contents, audit, accessAudit } = dependencies;

  route(router, userPromptsApi.list, async ({ caller, language }) => {
    rejectGuest(caller, guestMessage);
    const groups = caller.groups.flatMap((id) => {
      const group = contents().groups.get(id);
      return group ? [{ id, name: localize(group.name, language) || id }] : [];
    });
    return { items: await ownPrompts(database, caller.id), groups };
  });

  route(router, userPromptsApi.create, ({ caller, body }) => {
    rejectGuest(caller, guestMessage);
    rejectForeignGroups(caller, body.groups, contents());
    return addPrompt(database, caller.id, body);
  });

  route(router, userPromptsApi.update, async ({ caller, params, body }) => {
    rejectGuest(caller, guestMessage);
    rejectForeignGroups(caller, body.groups, contents());
    return changePrompt(database, caller.id, { ...params, ...body });
  });

  route(router, userPromptsApi.remove, async ({ caller, params }) => {
    rejectGuest(caller, guestMessage);
    await removePrompt(database, caller.id, params.id);
  });

  route(router, sharedPromptsApi.list, async ({ query, caller }) => {
    await accessAudit.read({
      by: caller,
      action: 'read',
      kind: 'access',
      target: 'shared-prompts',
    });
    return paginate(await allShared(database), query);
  });

  route(router, sharedPromptsApi.remove, async ({ caller, params }) => {
    const { name, groups } = await endSharing(database, params.id);
    const change = { kind: 'prompt' as const, target: name, before: { groups } };
    await audit.record({ by: caller, action: 'revoked', ...change });
  });
}

/** Uses the same message for groups that do not exist, to prevent enumeration. */
function rejectForeignGroups(
  { groups: own }: Caller,
  wanted: readonly string[],
  { groups: existing }: Contents,
): void {
  const issues = wanted
    .map((group, at) => ({ group, path: `groups.${at}` }))
    .filter(({ group }) => !own.includes(group) || !existing.has(group))
    .map(({ group, path }) => ({
      path,
      code: 'invalid',
      message: `You are not in a group "${group}".`,
    }));
  if (issues.length > 0) {
    throw problem('invalid-request', 'Share it with groups that you are in.', { issues });
  }
}
