import { z } from 'zod';

/** The commit of a git repository from which skills were read. */
export const gitCommitSchema = z.object({
  /** Address of the repository. */
  url: z.string(),
  /** The full number: 40 hexadecimal digits. */
  commit: z.string(),
  /** Branch or tag; omitted for the default branch, or if a commit was named. */
  ref: z.string().optional(),
  /** The folder in the repository, '' for its root. */
  path: z.string(),
});
export type GitCommit = z.infer<typeof gitCommitSchema>;

/** The steps of reading a repository. */
export const gitPhases = [
  'waiting',
  'connecting',
  'listing',
  'fetching',
  'reading',
  'checking',
] as const;

export const gitProgressSchema = z.object({
  phase: z.enum(gitPhases),
  /** Number of files of the phase, if it is known. */
  files: z.number().int().optional(),
});
export type GitProgress = z.infer<typeof gitProgressSchema>;

/** A repository as people name it: its address without the protocol, `github.com` and `.git`. */
export function repositoryName(url: string): string {
  return url.replace(/^(?:https?|ssh):\/\/(?:github\.com\/)?/, '').replace(/\/$|\.git\/?$/, '');
}

/** A commit as people write it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10);
}

/** A version's origin as text: commit, address and folder, separated by blanks. */
export function writeGitOrigin({ url, commit, path }: Omit<GitCommit, 'ref'>): string {
  return [commit, url, path].join(' ').trim();
}

/** The parts of such a text; undefined for any other. */
export function readGitOrigin(text: string): Omit<GitCommit, 'ref'> | undefined {
  const [, commit, url, path = ''] = /^([0-9a-f]{40,64}) (\S+)(?: (.*))?$/.exec(text) ?? [];
  return commit === undefined || url === undefined ? undefined : { commit, url, path };
}
