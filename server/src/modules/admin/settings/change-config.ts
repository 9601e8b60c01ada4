import type { User } from '@knowhow/shared/access/admin-users';
import { groupSchema } from '@knowhow/shared/access/groups';
import type { Invitation } from '@knowhow/shared/access/invitations';
import type { ServiceKey } from '@knowhow/shared/access/service-keys';
import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { problem } from '@knowhow/shared/problem';
import { listSome } from '../../../platform/lib/list-some.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import {
  type ConfigChange,
  type Contents,
  type ContentWriter,
  maskSecrets,
  type RawConfig,
  toNamedGroups,
} from '../../content/index.ts';
import {
  assertGroupsExist,
  assertMayEditGroup,
  type Caller,
  deleteAppAnswers,
  endSharingWith,
  type Invitations,
  type ServiceKeys,
  type UserAdmin,
} from '../../identity/index.ts';
import type { SkillShares } from '../../skills/index.ts';
import type { Change } from '../skills/skill-admin.ts';

/** Dependencies of configuration administration. */
export interface ConfigAdmin {
  contents: () => Contents;
  contentWriter: ContentWriter;
  userAdmin: UserAdmin;
  invitations: Invitations;
  serviceKeys: ServiceKeys;
  database: Database;
  skillShares: Pick<SkillShares, 'forget'>;
  audit: AuditLog;
}

interface ConfigItemChange extends Change {
  caller: Caller;
  kind: ConfigKind;
  id: string;
}

interface GroupWrite {
  id: string;
  by: Caller;
  /** With placeholders filled in. */
  after: RawConfig;
}

/** Creates or replaces an item, and returns it. */
export async function putConfig(
  admin: ConfigAdmin,
  { config, ...change }: ConfigItemChange & { config: RawConfig },
): Promise<ConfigItem> {
  const { kind, id, expected, caller: by } = change;
  const check = (after: RawConfig) => {
    if (kind === 'groups') {
      checkGroup(admin.contents(), { id, by, after });
    }
  };
  const { item, ...done } = await admin.contentWriter.put(kind, id, { config, expected, check });
  await record(admin, change, done);
  return item;
}

/** Throws for a group with rights that `by` lacks, or with an unknown parent group. */
function checkGroup(contents: Contents, { id, by, after }: GroupWrite): void {
  const { groups } = contents;
  const { inherits = [] } = groupSchema.parse(after);
  const current = groups.get(id)?.inherits ?? [];
  // A group that inherits from itself is rejected as a cycle elsewhere.
  const added = toNamedGroups('inherits', inherits).filter(
    (named) => named.id !== id && !current.includes(named.id),
  );
  assertGroupsExist(added, contents);
  assertMayEditGroup({ id, by, groups, after });
}

/**
 * Deletes an item and everything assigned by its id, so that a new item with this id starts without
 * it.
 */
export async function removeConfig(admin: ConfigAdmin, change: ConfigItemChange): Promise<void> {
  const { kind, id, expected, caller: by } = change;
  const check = async () => {
    if (kind === 'groups') {
      assertMayEditGroup({ id, by, groups: admin.contents().groups });
      assertGroupUnused(id, admin.contents(), {
        users: await admin.userAdmin.list(),
        invitations: await admin.invitations.list(),
        serviceKeys: await admin.serviceKeys.list(),
      });
    }
  };
  const done = await admin.contentWriter.remove(kind, id, { expected, check });
  if (kind === 'groups') {
    await endSharingWith(admin.database, id);
    await admin.skillShares.forget({ kind: 'group', id });
  }
  if (kind === 'apps') {
    await deleteAppAnswers(admin.database, id);
  }
  await record(admin, change, done);
}

const auditKinds = { apps: 'app', groups: 'group', models: 'model', prompts: 'prompt' } as const;

async function record(
  { audit }: ConfigAdmin,
  { kind, id, by }: ConfigItemChange,
  done: ConfigChange,
): Promise<void> {
  if (done.changed) {
    const [before, after] = [maskSecrets(done.before), maskSecrets(done.after)];
    const what = { kind: auditKinds[kind], target: id, before, after };
    await audit.record({ by, action: actionOf(done), ...what });
  }
}

function actionOf({ before, after }: ConfigChange): string {
  if (before === undefined) {
    return 'create';
  }
  return after === undefined ? 'delete' : 'update';
}

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
function assertGroupUnused(
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
