import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemPath } from './git-server.ts';
import { temporaryFolder } from './write-files.ts';

const run = promisify(execFile);

interface Client {
  /** Sent with each request. */
  key?: string;
  /** The version of the protocol; 2 by default. */
  version?: 0 | 1 | 2;
}

/** The git of a user without any configuration. Rejects with the text on standard error. */
export async function runGitClient(cwd: string, args: string[], client: Client = {}) {
  const { key, version = 2 } = client;
  const settings = [
    `protocol.version=${version}`,
    ...(key === undefined ? [] : [`http.extraHeader=Authorization: Bearer ${key}`]),
  ];
  const { stdout, stderr } = await run(
    'git',
    [...settings.flatMap((each) => ['-c', each]), ...args],
    {
      cwd,
      env: {
        PATH: systemPath,
        HOME: cwd,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
      },
    },
  );
  return stdout + stderr;
}

/** A clone in a temporary folder, as the guide describes it. */
export async function cloneSkills(url: string, client: Client = {}) {
  const folder = await temporaryFolder();
  const args = ['clone', '--quiet', '-c', 'pull.rebase=true', url, '.'];
  await runGitClient(folder, args, client);
  const git = (...more: string[]) => runGitClient(folder, more, client);
  return {
    folder,
    git,
    commit: async () => (await git('rev-parse', 'HEAD')).trim(),
    /** Paths of all files. */
    files: async () => (await git('ls-files', '-z')).split('\0').filter(Boolean).sort(),
    /** Names of the skills. */
    skills: async () =>
      (await git('ls-tree', '--name-only', '-z', 'HEAD:skills')).split('\0').filter(Boolean).sort(),
  };
}
