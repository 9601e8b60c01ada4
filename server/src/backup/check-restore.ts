import { isDeepStrictEqual } from 'node:util';
import { backupParts } from '@knowhow/shared/config/backup';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import type { AllowVariables } from '../content/allowed-variables.ts';
import type { Contents } from '../content/contents.ts';
import { unknownGroups } from '../content/named-groups.ts';
import { isSecretVariable } from '../content/secret-variable.ts';
import { listSome } from '../lib/list-some.ts';
import type { Database } from '../storage/open-database.ts';
import { type FilePart, itemOf, partOf } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { endsSignIn, groupsIn, leavesAnAdmin, usersIn } from './check-admin.ts';
import { newSignIns } from './check-sign-ins.ts';
import { checkSkills } from './check-skills.ts';
import type { Choice } from './choose-entries.ts';
import type { FileFault } from './read-configuration.ts';

interface Checked {
  source: BackupSource;
  choice: Choice;
  /** The active configuration, and as it would be. */
  now: Contents;
  contents: Contents;
  database: Database;
  allow: AllowVariables;
  mayRunCommands?: boolean;
  /** The paths of the files that are there and do not stay in any case. */
  present: readonly string[];
}

const maxNamed = 20;
const groupsPath = 'contents/config/groups.json';
const platformPath = 'contents/config/platform.json';

const fileParts = backupParts.filter((part) => part !== 'data');
const wordOf: Partial<Record<FilePart, string>> = {
  config: 'files in config/',
  other: 'other files',
};

/** Skills would be written to where something else may be. */
export const skillsDirectoryFault: FileFault = {
  path: 'contents/config/skills.json',
  code: 'skills-directory',
  message:
    'It keeps the skills in another folder, outside of contents/ or in one that something else uses. Set settings.skillsDirectory here to what it shall be, or restore without "config".',
};

/** What keeps a restore from being done: the installation could not go on with it. */
export async function faultsOfRestore(checked: Checked): Promise<FileFault[]> {
  const faults: FileFault[] = [];
  if (!(await leavesAnAdmin(checked.database, checked))) {
    faults.push({
      path: groupsPath,
      code: 'last-admin',
      message:
        'Nobody would look after everything any more: no enabled user would be in a group with adminAccess true. Restore without "config" or without "data", or use a backup that has such a user and group.',
    });
  }
  if (endsSignIn(checked.now, checked.contents)) {
    faults.push({
      path: platformPath,
      code: 'sign-in-off',
      message:
        'Nobody could sign in any more: it has localAuth.enabled false. Set localAuth.enabled to true in the backup, or restore without "config".',
    });
  }
  return [...faults, ...newPlaceholders(checked), ...newServers(checked), ...newSignIns(checked)];
}

/** Who restores on the pages may not read more of the environment by it. */
function newPlaceholders({ now, contents, allow }: Checked): FileFault[] {
  const known = now.platform.placeholders ?? [];
  const listed = contents.platform.placeholders ?? [];
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
          message: `It would let files read more of the environment: ${names.join(', ')}. Whoever runs the server adds that to "placeholders" of this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/**
 * Who restores on the pages starts no other command by it, and reaches no other address, of which some are in
 * the own network and some get keys: the file may hold only servers that are here already.
 */
function newServers({ now, contents, mayRunCommands }: Checked): FileFault[] {
  if (mayRunCommands) {
    return [];
  }
  const isHere = (server: McpServer) =>
    now.mcpServers.some((known) => isDeepStrictEqual(reachOf(known), reachOf(server)));
  const names = contents.mcpServers.filter((server) => !isHere(server)).map(({ id }) => id);
  return names.length === 0
    ? []
    : [
        {
          path: 'contents/config/mcp.json',
          code: 'mcp-servers',
          message: `It has servers of tools that are started or reached in another way than now: ${names.join(', ')}. Whoever runs the server adds these to this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/** All that says what is started, or what is sent to whom. */
function reachOf(server: McpServer): unknown {
  return server.kind === 'http'
    ? { id: server.id, url: server.url, headers: server.headers }
    : { id: server.id, run: [server.command, server.args, server.env, server.cwd] };
}

/** What to look at before going on. */
export async function warningsOfRestore(checked: Checked): Promise<string[]> {
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

/** Parts that a backup says it is of, and has nothing in. */
function emptyParts({ source, choice, present }: Checked): string[] {
  const itemsIn = (paths: Iterable<string>, part: FilePart) =>
    new Set([...paths].filter((path) => partOf(path) === part).map(itemOf));
  return fileParts
    .filter((part) => choice.hasPart(part) && itemsIn(source.files.keys(), part).size === 0)
    .map((part) => ({ part, count: itemsIn(present, part).size }))
    .filter(({ count }) => count > 0)
    .map(
      ({ part, count }) =>
        `The backup holds no ${wordOf[part] ?? part}: all ${count} here would be removed.`,
    );
}

function unknownModels({ contents, choice }: Checked): string[] {
  if (!choice.names.some((name) => /^(?:apps|models)(?:\/|$)/.test(name))) {
    return [];
  }
  return [...contents.apps.values()].flatMap(({ id, preferredModel, allowedModels = [] }) =>
    [...new Set([...(preferredModel === undefined ? [] : [preferredModel]), ...allowedModels])]
      .filter((model) => !contents.models.has(model))
      .map((model) => `The app "${id}" names the model "${model}", which would not be there.`),
  );
}

/** iHub may be older than its skills: then no group there has any. */
function groupsWithoutSkills({ source, choice, contents }: Checked): string[] {
  const groups = [...contents.groups.values()];
  const isMissing = groups.every(({ permissions }) => permissions?.skills === undefined);
  return source.format === 'ihub' && choice.covers(groupsPath) && isMissing
    ? ['No group in it is given any skills: nobody will see one until you add "skills" to groups.']
    : [];
}

/** Groups that files or users of the backup name and that would not exist. */
async function missingGroups({ source, choice, contents }: Checked): Promise<string[]> {
  const hasConfig = [groupsPath, platformPath].some((path) => choice.covers(path));
  const inFiles = (hasConfig ? unknownGroups(contents) : []).map(
    ({ path, field, message }) => `${path}, field ${field}: ${message}`,
  );
  const ofUsers =
    choice.hasPart('data') && source.rows.has('users') ? await groupsIn(source.directory) : [];
  const missing = [...ofUsers].filter((id) => !contents.groups.has(id)).slice(0, maxNamed);
  return missing.length === 0
    ? inFiles
    : [...inFiles, `Users are in groups that would not exist: ${missing.join(', ')}.`];
}

/** Accounts that would go, or become others. */
async function changedAccounts({ source, choice, database }: Checked): Promise<string[]> {
  if (!choice.hasPart('data') || !source.rows.has('users')) {
    return [];
  }
  const now = await database.selectFrom('users').select(['id', 'username']).execute();
  if (source.addsUsers) {
    const taken = await usersIn(source.directory, 'username');
    const same = now.filter(({ username }) => taken.has(username));
    return listed(
      same,
      'Accounts of here would become those of the backup, with its passwords, and sign in again',
    );
  }
  const staying = await usersIn(source.directory, 'id');
  const going = now.filter(({ id }) => !staying.has(id));
  return listed(going, 'Accounts of here would go, and whoever is signed in with them');
}

function listed(users: readonly { username: string }[], sentence: string): string[] {
  const names = users.map(({ username }) => username);
  return names.length === 0 ? [] : [`${sentence}: ${listSome(names, maxNamed)}.`];
}
