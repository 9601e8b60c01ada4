import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import {
  allowVariables,
  type Contents,
  diffContents,
  openContentFolder,
  openContentStore,
  readContentState,
  writeContents,
} from '../modules/content/index.ts';
import {
  createAccounts,
  createPasswords,
  createUserAdmin,
  getSessionLimits,
  passwordRounds,
} from '../modules/identity/index.ts';
import { getErrorMessage } from '../platform/lib/get-error-message.ts';
import { createAuditLog } from '../platform/storage/audit-log.ts';
import type { Database } from '../platform/storage/open-database.ts';
import { lockDatabase } from '../platform/storage/postgres/lock-database.ts';
import type { Terminal } from './terminal.ts';
import { confirmChanges, type SharingOptions, withSharedDatabase } from './with-shared-database.ts';

/** The actor in the audit log. */
const by = { id: 'command', name: 'knowhow push' };

/**
 * Uploads a folder's contents to the database. After the first push, the database is the source of
 * truth instead of a server's folder, so no server may run during it.
 *
 * @param options `ifEmpty` makes it idempotent for deployments: nothing changes if the database
 *   already has contents
 */
export function pushCommand(
  directory: string,
  options: SharingOptions & { ifEmpty: boolean },
  terminal: Terminal,
): Promise<number> {
  const { variables, ...installation } = terminal.installation();
  return withSharedDatabase({ ...installation, variables }, async (database, url) => {
    const folder = openContentFolder(directory);
    const state = await readContentState(database);
    if (state && options.ifEmpty) {
      terminal.out('The database already contains a configuration. Nothing was pushed.');
      return 0;
    }
    const { files, leftOut } = await folder.scan();
    const contents = (await openContentStore(directory, allowVariables(variables))).current;
    const refused = [
      ...(files.size === 0 ? [`${directory} contains no configuration and no skills.`] : []),
      ...leftOut.map((path) => `${path}: It is neither a file nor a folder. Remove it first.`),
      ...contents.faults.map(({ path, message }) => `${path}: ${message}`),
      ...unsharedFolders(contents.skills),
      ...(await lockoutReasons(database, contents)),
    ];
    if (refused.length > 0) {
      terminal.error(`Nothing was pushed.\n${refused.join('\n')}`);
      return 1;
    }
    const changes = diffContents(state?.files ?? new Map(), files);
    if (!(await confirmChanges(changes, { ...options, word: 'push' }, terminal))) {
      return 0;
    }
    const none = { release: async () => undefined };
    const lock = state
      ? none
      : await lockDatabase(url, { mayShare: false, onLost: () => undefined });
    try {
      const written = { base: state?.generation, changes, read: folder.read };
      const generation = await writeContents(database, written);
      const what = { kind: 'backup' as const, target: String(generation), before: undefined };
      await createAuditLog(database).record({
        by,
        action: 'push',
        ...what,
        after: { files: changes.length },
      });
      terminal.out(`Pushed: generation ${generation}. Servers that run have it in a few seconds.`);
      return 0;
    } finally {
      await lock.release();
    }
  });
}

/** Skill folders in `contents/` that nodes do not share. */
function unsharedFolders({ settings }: SkillsConfig): string[] {
  const { skillsDirectory, sources } = settings;
  const isShared = (path: string) => /^contents\/(?:skills|plugins)(?:\/|$)/.test(path);
  const paths = sources
    .map((source) => (typeof source === 'string' ? source : source.path))
    .filter((path) => path.startsWith('contents/'));
  return [
    ...(skillsDirectory.replace(/\/$/, '') === 'contents/skills' ? [] : [skillsDirectory]),
    ...paths.filter((path) => !isShared(path)),
  ].map((path) => `${path}: Servers share the skills in contents/skills. Move them there.`);
}

/** Why no administrator would remain; empty if there are no users yet. */
async function lockoutReasons(database: Database, contents: Contents): Promise<string[]> {
  const { users } = await database
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow();
  if (users === 0) {
    return [];
  }
  const passwords = createPasswords(passwordRounds);
  const sessionLimits = () => getSessionLimits(contents.platform);
  const accounts = createAccounts({ database, passwords, sessionLimits });
  const withLock = <Result>(run: () => Promise<Result>) => run();
  const admin = createUserAdmin({ database, accounts, contents: () => contents, withLock });
  try {
    await admin.checkGroups(contents.groups);
    return [];
  } catch (error) {
    return [getErrorMessage(error)];
  } finally {
    await passwords.close();
  }
}
