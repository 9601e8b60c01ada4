import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backupParts } from '@knowhow/shared/config/backup';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import { formatCount } from '../../platform/lib/format-count.ts';
import { listSome } from '../../platform/lib/list-some.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import {
  type AllowVariables,
  type Contents,
  isSecretVariable,
  unknownGroups,
} from '../content/index.ts';
import { readSkillAt, type UnpackedFile } from '../skills/index.ts';
import { type FilePart, getItemPath, getPart } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { disablesSignIn, groupsIn, keepsAdmin, usersIn } from './check-admin.ts';
import type { Choice } from './choose-entries.ts';
import type { FileFault } from './read-configuration.ts';

const maxListed = 100;

/**
 * Reads every `SKILL.md` as the skill store would and reports those with errors. They do not block a restore, because
 * they were like that when the backup was made.
 */
async function checkSkills(files: Iterable<UnpackedFile>, directory: string): Promise<string[]> {
  const root = join(directory, 'contents/skills');
  const warnings: string[] = [];
  for (const { path, diskPath } of files) {
    if (!/^contents\/skills\/.+\/skill\.md$/i.test(path)) {
      continue;
    }
    const found = await readSkillAt({ root, path: diskPath });
    const diagnostics = 'diagnostic' in found ? [found.diagnostic] : found.diagnostics;
    const error = diagnostics.find(({ severity }) => severity === 'error');
    if (error) {
      warnings.push(`${path}: ${error.message}`);
    }
  }
  const more = warnings.length - maxListed;
  return more > 0
    ? [
        ...warnings.slice(0, maxListed),
        `${formatCount(more, 'more skill has errors', 'more skills have errors')}.`,
      ]
    : warnings;
}

interface RestoreCheck {
  source: BackupSource;
  choice: Choice;
  /** The active configuration, and the one after the restore. */
  now: Contents;
  contents: Contents;
  database: Database;
  allow: AllowVariables;
  mayRunCommands?: boolean;
  /** Paths of the existing files that the restore may replace. */
  present: readonly string[];
}

const maxNamed = 20;
const groupsPath = 'contents/config/groups.json';
const platformPath = 'contents/config/platform.json';

const fileParts = backupParts.filter((part) => part !== 'data');
const labels: Partial<Record<FilePart, string>> = {
  config: 'files in config/',
  other: 'other files',
};

/** Skills would be written to a folder that may contain other data. */
export const skillsDirectoryFault: FileFault = {
  path: 'contents/config/skills.json',
  code: 'skills-directory',
  message:
    'The backup stores skills in another folder, outside of contents/ or in one with another use. Set settings.skillsDirectory here to the same folder first, or restore without "config".',
};

/** Issues that block a restore, because the installation could not work with it. */
export async function findRestoreIssues(checked: RestoreCheck): Promise<FileFault[]> {
  const faults: FileFault[] = [];
  if (!(await keepsAdmin(checked.database, checked))) {
    faults.push({
      path: groupsPath,
      code: 'last-admin',
      message:
        'No administrator would be left: no enabled user would be in a group with adminAccess true. Restore without "config" or without "data", or use a backup that has such a user and group.',
    });
  }
  if (disablesSignIn(checked.now, checked.contents)) {
    faults.push({
      path: platformPath,
      code: 'sign-in-off',
      message:
        'Sign-in would be disabled: the backup sets localAuth.enabled to false. Set localAuth.enabled to true in the backup, or restore without "config".',
    });
  }
  return [
    ...faults,
    ...newPlaceholders(checked),
    ...newServers(checked),
    ...findNewSignIns(checked),
  ];
}

/** A restore in the admin pages must not let files read more of the environment (privilege escalation). */
function newPlaceholders({ now, contents, allow }: RestoreCheck): FileFault[] {
  const known = now.platform.placeholders;
  const listed = contents.platform.placeholders;
  const { allows } = allow(listed);
  const names = listed.filter(
    (name) => !known.includes(name) && !isSecretVariable(name) && !allows(name),
  );
  return names.length === 0
    ? []
    : [
        {
          path: platformPath,
          code: 'placeholders',
          message: `It would let files read more of the environment: ${names.join(', ')}. The server's operator adds that to "placeholders" of this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/**
 * A restore in the admin pages must not start other commands or reach other addresses (SSRF): some are in the
 * internal network, some receive keys. So it may only contain servers that are configured already.
 */
function newServers({ now, contents, mayRunCommands }: RestoreCheck): FileFault[] {
  if (mayRunCommands) {
    return [];
  }
  const isConfigured = (server: McpServer) =>
    now.mcpServers.some((known) => isDeepStrictEqual(connectionOf(known), connectionOf(server)));
  const names = contents.mcpServers.filter((server) => !isConfigured(server)).map(({ id }) => id);
  return names.length === 0
    ? []
    : [
        {
          path: 'contents/config/mcp.json',
          code: 'mcp-servers',
          message: `It changes how these tool servers are started or reached: ${names.join(', ')}. The server's operator adds these to this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/** Everything that determines what is started, or what is sent where. */
function connectionOf(server: McpServer): unknown {
  return server.kind === 'http'
    ? { id: server.id, url: server.url, headers: server.headers }
    : { id: server.id, run: [server.command, server.args, server.env, server.cwd] };
}

/** Warnings to read before a restore. */
export async function findRestoreWarnings(checked: RestoreCheck): Promise<string[]> {
  const { source, choice } = checked;
  const skills = [...source.files.values()].filter(({ path }) => choice.covers(path));
  return [
    ...source.warnings,
    ...emptyParts(checked),
    ...unknownModels(checked),
    ...groupsWithoutSkills(checked),
    ...(await missingGroups(checked)),
    ...(await changedAccounts(checked)),
    ...(await checkSkills(skills, source.directory)),
  ];
}

/** Warns about parts that the backup claims to contain but that are empty. */
function emptyParts({ source, choice, present }: RestoreCheck): string[] {
  const itemsIn = (paths: Iterable<string>, part: FilePart) =>
    new Set([...paths].filter((path) => getPart(path) === part).map(getItemPath));
  return fileParts
    .filter((part) => choice.hasPart(part) && itemsIn(source.files.keys(), part).size === 0)
    .map((part) => ({ part, count: itemsIn(present, part).size }))
    .filter(({ count }) => count > 0)
    .map(
      ({ part, count }) =>
        `The backup contains no ${labels[part] ?? part}: all ${count} here would be removed.`,
    );
}

function unknownModels({ contents, choice }: RestoreCheck): string[] {
  if (!choice.names.some((name) => /^(?:apps|models)(?:\/|$)/.test(name))) {
    return [];
  }
  return [...contents.apps.values()].flatMap(({ id, preferredModel, allowedModels = [] }) =>
    [...new Set([...(preferredModel === undefined ? [] : [preferredModel]), ...allowedModels])]
      .filter((model) => !contents.models.has(model))
      .map((model) => `The app "${id}" names the model "${model}", which would not be there.`),
  );
}

/** Warns if no group has skills; older iHub versions had no such permission. */
function groupsWithoutSkills({ source, choice, contents }: RestoreCheck): string[] {
  const groups = [...contents.groups.values()];
  const isMissing = groups.every(({ permissions }) => permissions?.skills === undefined);
  return source.format === 'ihub' && choice.covers(groupsPath) && isMissing
    ? [
        'No group in it is given any skills: users will not see any until you add "skills" to groups.',
      ]
    : [];
}

/** Warns about groups that the backup's files or users reference but that would not exist. */
async function missingGroups({ source, choice, contents }: RestoreCheck): Promise<string[]> {
  const hasConfig = [groupsPath, platformPath].some((path) => choice.covers(path));
  const inFiles = (hasConfig ? unknownGroups(contents) : []).map(
    ({ path, field, message }) => `${path}, field ${field}: ${message}`,
  );
  const userGroups =
    choice.hasPart('data') && source.rows.has('users') ? await groupsIn(source.directory) : [];
  const missing = [...userGroups].filter((id) => !contents.groups.has(id)).slice(0, maxNamed);
  return missing.length === 0
    ? inFiles
    : [...inFiles, `Users are in groups that would not exist: ${missing.join(', ')}.`];
}

/** Warns about accounts that would be removed or replaced. */
async function changedAccounts({ source, choice, database }: RestoreCheck): Promise<string[]> {
  if (!choice.hasPart('data') || !source.rows.has('users')) {
    return [];
  }
  const now = await database.selectFrom('users').select(['id', 'username']).execute();
  if (source.addsUsers) {
    const usernames = await usersIn(source.directory, 'username');
    const same = now.filter(({ username }) => usernames.has(username));
    return listed(
      same,
      'Existing accounts would become those of the backup, with its passwords, and be signed out',
    );
  }
  const remainingIds = await usersIn(source.directory, 'id');
  const removed = now.filter(({ id }) => !remainingIds.has(id));
  return listed(removed, 'Existing accounts would be removed and signed out');
}

function listed(users: readonly { username: string }[], sentence: string): string[] {
  const names = users.map(({ username }) => username);
  return names.length === 0 ? [] : [`${sentence}: ${listSome(names, maxNamed)}.`];
}

/**
 * A restore in the admin pages must not redirect client secrets, trust another proxy or widen the access policy. So
 * it may only contain sign-in methods that are configured already, except for display names.
 */
function findNewSignIns({
  now,
  contents,
  mayRunCommands,
}: {
  now: Contents;
  contents: Contents;
  mayRunCommands?: boolean | undefined;
}): FileFault[] {
  if (mayRunCommands) {
    return [];
  }
  const current = enabledProviders(now.platform);
  const names = enabledProviders(contents.platform)
    .filter((provider) => !current.some((known) => isDeepStrictEqual(known, provider)))
    .map(({ name }) => name);
  const proxy = enabledProxy(contents.platform);
  if (proxy && !isDeepStrictEqual(proxy, enabledProxy(now.platform))) {
    names.push('proxyAuth');
  }
  return names.length === 0
    ? []
    : [
        {
          path: 'contents/config/platform.json',
          code: 'sign-ins',
          message: `It changes these sign-in methods: ${names.join(', ')}. The server's operator writes these as they are there into this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/**
 * The enabled providers with everything that determines who is trusted, who may sign in, and where secrets are sent.
 */
function enabledProviders({ oidcAuth }: PlatformConfig) {
  return oidcAuth?.enabled === false
    ? []
    : (oidcAuth?.providers ?? [])
        .filter(({ enabled }) => enabled !== false)
        .map(({ displayName: _, enabled: _on, ...provider }) => ({
          ...provider,
          allowSelfSignup: provider.allowSelfSignup ?? oidcAuth?.allowSelfSignup ?? false,
        }));
}

function enabledProxy({ proxyAuth }: PlatformConfig) {
  const { displayName: _, ...rest } = proxyAuth ?? {};
  return proxyAuth?.enabled === true ? rest : undefined;
}
