import { groupSchema } from '@knowhow/shared/access/groups';
import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { ConfigChange } from '../../content/config-file.ts';
import type { Contents } from '../../content/contents.ts';
import { toNamedGroups } from '../../content/named-groups.ts';
import type { RawConfig } from '../../content/raw-config.ts';
import { maskSecrets } from '../../content/secret-fields.ts';
import type { ContentWriter } from '../../content/write-contents.ts';
import { deleteAppAnswers } from '../../identity/app-answers.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Invitations } from '../../identity/invitations.ts';
import { assertGroupsExist } from '../../identity/rights/assert-groups-exist.ts';
import { assertMayEditGroup } from '../../identity/rights/assert-may-edit-group.ts';
import type { ServiceKeys } from '../../identity/service-keys.ts';
import type { UserAdmin } from '../../identity/user-admin.ts';
import { endSharingWith } from '../../identity/user-prompts.ts';
import type { Change } from '../skills/skill-admin.ts';
import { assertGroupUnused } from './assert-group-unused.ts';

/** Dependencies of configuration administration. */
export interface ConfigAdmin {
  contents: () => Contents;
  contentWriter: ContentWriter;
  userAdmin: UserAdmin;
  invitations: Invitations;
  serviceKeys: ServiceKeys;
  database: Database;
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
