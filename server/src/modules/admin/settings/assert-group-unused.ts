import type { User } from '@knowhow/shared/access/admin-users';
import type { Invitation } from '@knowhow/shared/access/invitations';
import type { ServiceKey } from '@knowhow/shared/access/service-keys';
import { problem } from '@knowhow/shared/problem';
import { listSome } from '../../../platform/lib/list-some.ts';
import type { Contents } from '../../content/contents.ts';

const maxNames = 5;

interface Holders {
  users: readonly User[];
  invitations: readonly Invitation[];
  serviceKeys: readonly ServiceKey[];
}

/**
 * Throws `conflict` that lists remaining references to a group: a new group with its id would
 * inherit them.
 */
export function assertGroupUnused(
  id: string,
  contents: Contents,
  { users, invitations, serviceKeys }: Holders,
): void {
  const { anonymousAuth, authenticatedGroups, oidcAuth, proxyAuth } = contents.platform;
  const members = users.filter(({ groups }) => groups.includes(id)).map(({ name }) => name);
  const heirs = [...contents.groups.values()]
    .filter(({ inherits }) => inherits?.includes(id))
    .map((group) => group.name);
  const settings = [
    ...(anonymousAuth.defaultGroups?.includes(id) ? ['anonymousAuth.defaultGroups'] : []),
    ...(authenticatedGroups.includes(id) ? ['authenticatedGroups'] : []),
    ...(oidcAuth?.providers ?? []).flatMap(({ name, defaultGroups }) =>
      defaultGroups?.includes(id) ? [`oidcAuth (${name})`] : [],
    ),
    ...(proxyAuth?.defaultGroups?.includes(id) ? ['proxyAuth.defaultGroups'] : []),
  ];
  const servers = contents.mcpServers.filter(({ groups }) => groups?.includes(id));
  const invited = invitations.filter(({ groups }) => groups.includes(id)).length;
  const keys = serviceKeys.filter(({ groups }) => groups.includes(id)).map(({ name }) => name);
  const uses = [
    members.length > 0 ? `it has members: ${listSome(members, maxNames)}` : [],
    invited > 0 ? `open invitations name it: ${invited}` : [],
    keys.length > 0 ? `service keys belong to it: ${listSome(keys, maxNames)}` : [],
    servers.length > 0
      ? `contents/config/mcp.json names it: ${listSome(
          servers.map((server) => server.id),
          maxNames,
        )}`
      : [],
    heirs.length > 0 ? `groups inherit it: ${listSome(heirs, maxNames)}` : [],
    settings.length > 0
      ? `contents/config/platform.json names it: ${listSome(settings, maxNames)}`
      : [],
  ].flat();
  if (uses.length > 0) {
    const detail = `The group "${id}" is in use; ${uses.join('; ')}. Take it out there first.`;
    throw problem('conflict', detail);
  }
}
