import { type SkillSharing, skillSharingApi } from '@knowhow/shared/access/skill-sharing';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Contents } from '../../content/index.ts';
import {
  assertMayEditGroup,
  getAllGroups,
  type UserAdmin,
  withMemberGroups,
} from '../../identity/index.ts';
import type { Recipient, SkillShares } from '../../skills/index.ts';

interface Dependencies {
  audit: AuditLog;
  contents: () => Contents;
  skillShares: SkillShares;
  userAdmin: UserAdmin;
}

/** Oversight of the personal skills that users share. No answer names a skill. */
export function skillSharingRoutes(router: Router, dependencies: Dependencies): void {
  const { audit, contents, skillShares, userAdmin } = dependencies;

  route(router, skillSharingApi.ofUser, async ({ params }) => {
    await userAdmin.get(params.id);
    return describeUser(dependencies, params.id);
  });

  route(router, skillSharingApi.endOfUser, async ({ params: { id }, caller }) => {
    const { username: target } = await userAdmin.get(id);
    await userAdmin.checkRights(id, caller);
    const before = await describeUser(dependencies, id);
    // Groups that were removed in the file may return, so they end as well.
    await skillShares.endAll(id);
    if (before.skills > 0) {
      const action = 'skill-sharing-ended';
      await audit.record({ by: caller, action, kind: 'user', target, before });
    }
    return before;
  });

  const checkGroup = (id: string) => {
    if (!contents().groups.has(id)) {
      throw problem('not-found', `There is no group "${id}".`);
    }
  };

  route(router, skillSharingApi.withGroup, async ({ params }) => {
    checkGroup(params.id);
    return describeGroup(dependencies, params.id);
  });

  route(router, skillSharingApi.endWithGroup, async ({ params: { id }, caller }) => {
    checkGroup(id);
    assertMayEditGroup({ id, by: caller, groups: contents().groups });
    const before = await describeGroup(dependencies, id);
    if (before.skills > 0) {
      await skillShares.forget({ kind: 'group', id });
      const action = 'skill-sharing-ended';
      await audit.record({ by: caller, action, kind: 'group', target: id, before });
    }
    return before;
  });
}

async function describeUser(dependencies: Dependencies, owner: string): Promise<SkillSharing> {
  const shares = await dependencies.skillShares.of(owner);
  const reaches = reachTest([...shares.values()].flat());
  const people = (await listMembers(dependencies)).filter(
    (member) => member.id !== owner && reaches(member),
  ).length;
  // Nothing else gives access to a personal skill.
  return { skills: shares.size, people, losing: people };
}

async function describeGroup(dependencies: Dependencies, id: string): Promise<SkillSharing> {
  const shares = await dependencies.skillShares.listWith(id);
  const inGroup = reachTest([{ kind: 'group', id }]);
  const members = shares.length === 0 ? [] : (await listMembers(dependencies)).filter(inGroup);
  const others = shares.map((share) => ({ owner: share.owner, reaches: reachTest(share.others) }));
  const losing = members.filter((member) =>
    others.some(({ owner, reaches }) => owner !== member.id && !reaches(member)),
  );
  return { skills: shares.length, people: members.length, losing: losing.length };
}

interface Member {
  id: string;
  groups: readonly string[];
}

/** The enabled accounts, with all their groups. */
async function listMembers({ contents, userAdmin }: Dependencies): Promise<Member[]> {
  return (await userAdmin.list())
    .filter(({ disabled }) => !disabled)
    .map((user) => ({ id: user.id, groups: withMemberGroups(getAllGroups(user), contents()) }));
}

/** A test for whether an account is among these recipients, or in one of these groups. */
function reachTest(recipients: readonly Recipient[]): (member: Member) => boolean {
  const ids = (wanted: Recipient['kind']) =>
    new Set(recipients.filter(({ kind }) => kind === wanted).map(({ id }) => id));
  const [users, groups] = [ids('user'), ids('group')];
  return (member) => users.has(member.id) || member.groups.some((group) => groups.has(group));
}
