import type { User } from '@knowhow/shared/access/admin-users';
import { problem } from '@knowhow/shared/problem';
import type { Contents } from '../content/contents.ts';

const maxNames = 5;

/** Throws `conflict` with whoever still needs a group. */
export function refuseGroupInUse(id: string, contents: Contents, users: readonly User[]): void {
  const { anonymousAuth, authenticatedGroups } = contents.platform;
  const members = users.filter(({ groups }) => groups.includes(id)).map(({ name }) => name);
  const heirs = [...contents.groups.values()]
    .filter(({ inherits }) => inherits?.includes(id))
    .map((group) => group.name);
  const settings = [
    ...(anonymousAuth?.defaultGroups?.includes(id) ? ['anonymousAuth.defaultGroups'] : []),
    ...(authenticatedGroups?.includes(id) ? ['authenticatedGroups'] : []),
  ];
  const uses = [
    members.length > 0 ? `it has members: ${some(members)}` : [],
    heirs.length > 0 ? `groups inherit it: ${some(heirs)}` : [],
    settings.length > 0 ? `contents/config/platform.json names it: ${some(settings)}` : [],
  ].flat();
  if (uses.length > 0) {
    const detail = `The group "${id}" is in use; ${uses.join('; ')}. Take it out there first.`;
    throw problem('conflict', detail);
  }
}

function some(names: string[]): string {
  const more = names.length - maxNames;
  return more > 0 ? `${names.slice(0, maxNames).join(', ')} and ${more} more` : names.join(', ');
}
