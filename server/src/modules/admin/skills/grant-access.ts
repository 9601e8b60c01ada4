import type { User } from '@knowhow/shared/access/admin-users';
import { problem } from '@knowhow/shared/problem';
import type { Contents } from '../../content/index.ts';
import {
  getAllGroups,
  guestGroups,
  type UserAdmin,
  withMemberGroups,
} from '../../identity/index.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { getSkillDecisions, settingsChecksum } from './skill-decisions.ts';
import { updateSkill } from './update-skill.ts';

/** A group to which a skill can be granted, and its size. */
interface GrantableGroup {
  id: string;
  name: string;
  people: number;
  hasGuests: boolean;
}

type Members = Pick<UserAdmin, 'get' | 'list'>;

/** The groups of a user. Throws `not-found` for an account that was deleted. */
export async function listGrantableGroups(
  contents: Contents,
  users: Members,
  user: string,
): Promise<GrantableGroup[]> {
  const own = groupsOf(await users.get(user), contents);
  const all = await users.list();
  const guests = guestGroups(contents);
  return own.flatMap((id) => {
    const group = contents.groups.get(id);
    const receiving = withHeirs(id, contents);
    const isReceiving = (groups: readonly string[]) => groups.some((each) => receiving.has(each));
    return group
      ? [
          {
            id,
            name: group.name,
            people: countMembers(all, contents, receiving),
            hasGuests: isReceiving(guests),
          },
        ]
      : [];
  });
}

/** Grants a skill to one of a user's groups. Throws `invalid-request` for another group. */
export async function grantAccess(
  admin: SkillAdmin & { userAdmin: Members },
  by: Change['by'],
  { skill, user, group }: { skill: string; user: string; group: string },
): Promise<void> {
  const contents = admin.contents();
  if (!groupsOf(await admin.userAdmin.get(user), contents).includes(group)) {
    const message = `The sender is not in group "${group}". Choose one of their groups.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'group', code: 'unknown', message }],
    });
  }
  const { groups } = getSkillDecisions(skill, contents);
  const expected = settingsChecksum(skill, contents);
  await updateSkill(
    admin,
    { name: skill, by, expected },
    { groups: [...new Set([...groups, group])] },
  );
}

/** How many of these users are enabled and in one of these groups. */
export function countMembers(
  users: readonly User[],
  contents: Contents,
  groups: ReadonlySet<string>,
): number {
  return users.filter(
    (user) => !user.disabled && groupsOf(user, contents).some((group) => groups.has(group)),
  ).length;
}

function groupsOf(user: User, contents: Contents): string[] {
  const groups = withMemberGroups(getAllGroups(user), contents);
  return groups.filter((id) => contents.groups.has(id));
}

/** A group, and all groups that inherit from it. */
export function withHeirs(id: string, { groups }: Pick<Contents, 'groups'>): Set<string> {
  const found = new Set([id]);
  for (const each of found) {
    for (const [heir, { inherits }] of groups) {
      if (inherits?.includes(each)) {
        found.add(heir);
      }
    }
  }
  return found;
}
