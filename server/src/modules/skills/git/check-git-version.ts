import { gitProblem } from './git-problem.ts';
import { type GitCall, runGit } from './run-git.ts';

const minVersion = [2, 39] as const;

/**
 * Checks that the system's git is new enough.
 *
 * @throws a problem that says what to install
 */
export async function checkGitVersion(
  call: Pick<GitCall, 'directory' | 'variables' | 'signal'>,
): Promise<void> {
  let text = '';
  await runGit({
    ...call,
    args: ['--version'],
    onOutput: (chunk) => {
      text = (text + chunk.toString()).slice(0, 200);
    },
  });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const [minMajor, minMinor] = minVersion;
  if (Number(major) < minMajor || (Number(major) === minMajor && Number(minor) < minMinor)) {
    const found = `${major}.${minor}`;
    throw gitProblem(
      'no-git',
      `The server has git ${found}. Install git 2.39 or newer on the server.`,
    );
  }
}
