import { isDeepStrictEqual } from 'node:util';
import {
  fullAdminSettings,
  operatorSettings,
  type Settings,
  type SettingsFile,
} from '@knowhow/shared/config/admin-settings';
import {
  defaultPlatform,
  type PlatformConfig,
  platformConfigSchema,
} from '@knowhow/shared/config/platform';
import { type ProblemIssue, problem } from '@knowhow/shared/problem';
import { skillSettingsSchema } from '@knowhow/shared/skills/skills-config';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { ModelList } from '../../chat/index.ts';
import {
  type AllowedVariables,
  configIssues,
  fillPlaceholders,
  groupsInPlatform,
  maskSecrets,
  newFieldIssues,
  type RawConfig,
} from '../../content/index.ts';
import {
  assertGroupsExist,
  assertNoPrivilegeEscalation,
  type Caller,
  computePermissions,
  type UserAdmin,
} from '../../identity/index.ts';
import { findScheduleIssues } from '../triggers/schedule/schedule-issues.ts';
import { readSettings, settingsChecksum, settingsIn } from './read-settings.ts';

export type SettingsAdmin = Parameters<typeof readSettings>[1] & {
  audit: AuditLog;
  userAdmin: Pick<UserAdmin, 'checkPlatform'>;
  models: Pick<ModelList, 'all'>;
};

interface SettingsChange {
  id: SettingsFile;
  by: Caller;
  config: RawConfig;
  /** Checksum of the settings that the client has seen. */
  expected: string | undefined;
}

const schemas = { platform: platformConfigSchema, skills: skillSettingsSchema } as const;

/** Writes settings, and returns them. Throws a problem that names the field. */
export async function changeSettings(
  change: SettingsChange,
  admin: SettingsAdmin,
): Promise<Settings> {
  const { id, by, config, expected } = change;
  const { variables } = admin.contents();
  refuseIssues(configIssues(config, { schema: schemas[id], variables }));
  let before: RawConfig = {};
  const replace = (raw: RawConfig): RawConfig => {
    before = settingsIn(id, raw);
    checkUnchanged(expected, settingsChecksum(before));
    refuseOperators(change, before);
    refuseIssues(newFieldIssues(schemas[id], config, before));
    if (id === 'skills') {
      refuseIssues(newScheduleIssues(config, before, admin));
    }
    return id === 'skills' ? { ...raw, settings: config } : config;
  };
  const { changed } = await admin.contentWriter.transaction(async (transaction) => {
    if (id === 'skills') {
      return transaction.updateSkillsConfig(replace);
    }
    const written = await transaction.updatePlatformConfig(replace);
    await refuseUnsafe(by, { before, after: written.after ?? {} }, admin);
    return written;
  });
  if (changed) {
    const [was, is] = [before, config].map((side, index) =>
      maskSecrets(differing(side, index === 0 ? config : before)),
    );
    const what = { kind: 'settings' as const, target: id, before: was, after: is };
    await admin.audit.record({ by, action: 'update', ...what });
  }
  return readSettings(id, admin);
}

function refuseIssues(issues: readonly ProblemIssue[]): void {
  const [first] = issues;
  if (first) {
    const prefix = first.path === '' ? '' : `${first.path}: `;
    throw problem('invalid-request', `${prefix}${first.message}`, { issues: [...issues] });
  }
}

/** Issues of scheduled trigger tests that the settings did not have before. */
function newScheduleIssues(
  config: RawConfig,
  before: RawConfig,
  { contents, models }: SettingsAdmin,
): ProblemIssue[] {
  const issuesIn = (raw: RawConfig) => {
    const { data } = skillSettingsSchema.safeParse(fillPlaceholders(raw, contents().variables));
    return data ? findScheduleIssues(data, models) : [];
  };
  const known = new Set(issuesIn(before).map(({ message }) => message));
  return issuesIn(config)
    .filter(({ message }) => !known.has(message))
    .map((issue) => ({ ...issue, code: 'unusable-model' }));
}

/** Throws for changes that are reserved for the operator or for administrators with all rights. */
function refuseOperators({ id, by, config }: SettingsChange, before: RawConfig): void {
  const hasAll = by.permissions.adminAccess === 'all';
  const changed = (paths: readonly string[]) =>
    paths.find((path) => !isDeepStrictEqual(before[path], config[path]));
  const ofOperator = changed(operatorSettings[id]);
  const ofFullAdmins = hasAll ? undefined : changed(fullAdminSettings[id]);
  if (ofOperator !== undefined) {
    const message = 'This can only be changed in the file, by the operator of the server.';
    refuseIssues([{ path: ofOperator, code: 'file-only', message }]);
  }
  if (ofFullAdmins !== undefined) {
    throw problem('forbidden', `${ofFullAdmins}: This is for administrators with all rights.`);
  }
}

/**
 * Throws for settings that would grant rights that `by` lacks, name an unknown group, or lock
 * people out. Compares both sides with placeholders filled in.
 */
async function refuseUnsafe(
  by: Caller,
  { before, after }: { before: RawConfig; after: RawConfig },
  { contents, userAdmin }: SettingsAdmin,
): Promise<void> {
  const { groups, variables } = contents();
  const [was, is] = [readPlatform(before, variables), readPlatform(after, variables)];
  const known = new Set(groupsInPlatform(was).map(({ id }) => id));
  assertGroupsExist(
    groupsInPlatform(is).filter(({ id }) => !known.has(id)),
    { groups },
  );
  const [current, given] = [was.authenticatedGroups, is.authenticatedGroups];
  const added = given.filter((id) => !current.includes(id));
  const rights = computePermissions(added, groups).adminAccess;
  assertNoPrivilegeEscalation(
    by,
    rights,
    'Everyone with an account would administer more than you do.',
  );
  if (current.some((id) => !given.includes(id))) {
    await userAdmin.checkPlatform(is);
  }
  if (!is.localAuth.enabled && was.localAuth.enabled) {
    const message =
      'Password sign-in can only be disabled in the file. First make sure that someone can sign in otherwise.';
    refuseIssues([{ path: 'localAuth.enabled', code: 'sign-in-off', message }]);
  }
}

/** The settings with placeholders filled in; empty if the file is invalid. */
function readPlatform(config: RawConfig, variables: AllowedVariables): PlatformConfig {
  return (
    platformConfigSchema.safeParse(fillPlaceholders(config, variables)).data ?? defaultPlatform
  );
}

/** The fields of one side that differ on the other. */
function differing(side: RawConfig, other: RawConfig): RawConfig {
  return Object.fromEntries(
    Object.entries(side).filter(([name, value]) => !isDeepStrictEqual(value, other[name])),
  );
}
