import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { ignore } from '../../../platform/lib/ignore.ts';
import { toWriteProblem } from '../../../platform/lib/write-problem.ts';
import { buildRepository, type RepositoryContent } from './build-repository.ts';
import { checkGitVersion } from './check-git-version.ts';
import { gitProblem } from './git-problem.ts';
import { type GitCall, GitFailed, runGit } from './run-git.ts';

/**
 * Repositories that git clients may read. Each has one commit, and is named after its content. A client of a
 * repository can get every object in it, reachable or not: content for others must be in another one.
 */
export interface ServedRepositories {
  /**
   * Builds the repository, unless it is on disk. Two calls for the same content build it once.
   *
   * @throws a problem if git is missing or fails
   * @throws what reading the content throws
   */
  prepare(content: RepositoryContent): Promise<void>;
  /**
   * The first answer to a client: the refs, or the capabilities in version 2 of the protocol. Undefined if the
   * repository is not on disk: it was never built, or has been deleted.
   *
   * @throws a problem if git fails
   * @throws the reason of the signal
   */
  advertise(digest: string, client: GitClient): Promise<Buffer | undefined>;
  /**
   * Answers one request of a client by `git upload-pack`, and does not end `output`. Undefined if the repository is
   * not on disk.
   *
   * @throws a problem if git fails. It may have written an explanation in its protocol
   * @throws the reason of the signal
   */
  answer(digest: string, request: GitRequest): Promise<true | undefined>;
  /** At startup: deletes the repositories of the former process. */
  recover(): Promise<void>;
}

export interface GitClient {
  /** The header `Git-Protocol`, such as `version=2`. */
  protocol: string | undefined;
  signal: AbortSignal;
}

export interface GitRequest extends GitClient {
  body: Uint8Array;
  output: Writable;
}

interface Options {
  /** No other process uses it. */
  directory: string;
  /** The environment, for where git is. */
  variables: GitCall['variables'];
}

interface Repository {
  path: string;
  bytes: number;
  /** Requests that read it. */
  readers: number;
}

const mebibyte = 1024 * 1024;
/** The least recently used are deleted above these limits. */
const maxRepositories = 50;
const maxBytes = 2048 * mebibyte;
const buildMs = 300_000;
const serveMs = 900_000;
const serveMemoryBytes = 768 * mebibyte;

export function createServedRepositories({ directory, variables }: Options): ServedRepositories {
  /** In the order of their last use. */
  const repositories = new Map<string, Repository>();
  const building = new Map<string, Promise<void>>();
  let ready: Promise<void> | undefined;

  const checkGit = async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await checkGitVersion({ directory, variables, signal: AbortSignal.timeout(buildMs) });
  };
  /** Checked until it succeeds, since git may be installed later. */
  const ensureReady = () => {
    ready ??= checkGit().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const use = (digest: string): Repository | undefined => {
    const repository = repositories.get(digest);
    if (repository) {
      repositories.delete(digest);
      repositories.set(digest, repository);
    }
    return repository;
  };
  /** Runs `read` unless the repository is gone, and keeps it meanwhile. */
  const reading = async <Result>(digest: string, read: (directory: string) => Promise<Result>) => {
    const repository = use(digest);
    if (!repository) {
      return undefined;
    }
    repository.readers += 1;
    try {
      return await read(repository.path);
    } finally {
      repository.readers -= 1;
    }
  };
  const build = async (content: RepositoryContent) => {
    await ensureReady();
    const path = join(directory, randomUUID());
    const signal = AbortSignal.timeout(buildMs);
    try {
      const bytes = await buildRepository({ directory: path, content, variables, signal });
      repositories.set(content.digest, { path, bytes, readers: 0 });
    } catch (error) {
      await rm(path, { recursive: true, force: true });
      throw signal.aborted ? tooSlow(error) : toWriteProblem(toProblem(error), folderName);
    }
    await evict(repositories, content.digest);
  };

  return {
    prepare: (content) => {
      const { digest } = content;
      if (use(digest)) {
        return Promise.resolve();
      }
      const known = building.get(digest);
      if (known) {
        return known;
      }
      const started = build(content).finally(() => building.delete(digest));
      building.set(digest, started);
      return started;
    },
    advertise: (digest, client) =>
      reading(digest, async (directory) => {
        const chunks: Buffer[] = [];
        await uploadPack({
          ...client,
          directory,
          variables,
          args: ['--http-backend-info-refs'],
          onOutput: (chunk) => chunks.push(chunk),
        });
        return Buffer.concat(chunks);
      }),
    answer: (digest, { body, ...request }) =>
      reading(digest, async (directory) => {
        await uploadPack({ ...request, directory, variables, args: [], input: body });
        return true as const;
      }),
    recover: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Deletes what was not used for longest, except one that was just built, and those that are read. */
async function evict(repositories: Map<string, Repository>, built: string): Promise<void> {
  let bytes = [...repositories.values()].reduce((sum, each) => sum + each.bytes, 0);
  for (const [digest, repository] of [...repositories]) {
    if (repositories.size <= maxRepositories && bytes <= maxBytes) {
      return;
    }
    const isPresent = repositories.get(digest) === repository;
    if (digest !== built && isPresent && repository.readers === 0) {
      repositories.delete(digest);
      bytes -= repository.bytes;
      // A folder that cannot be deleted now is deleted at the next start.
      await rm(repository.path, { recursive: true, force: true }).catch(ignore);
    }
  }
}

/**
 * Packs are sent as they were built, since deltas would cost more than they save. Partial clones are not supported:
 * git would ask for the rest later, when the repository may be another one.
 */
const config = ['pack.window=0', 'pack.threads=1', 'gc.auto=0', 'uploadpack.allowFilter=false'];

async function uploadPack({ args, signal, ...call }: GitCall): Promise<void> {
  try {
    await runGit({
      ...call,
      config,
      args: ['upload-pack', '--strict', '--stateless-rpc', ...args, '.'],
      maxMemoryBytes: serveMemoryBytes,
      signal: AbortSignal.any([signal, AbortSignal.timeout(serveMs)]),
    });
  } catch (error) {
    throw toProblem(error);
  }
}

const folderName = 'The folder of git repositories';

function tooSlow(cause: unknown) {
  const text = `Building the repository took more than ${buildMs / 1000} seconds. Try again later.`;
  return gitProblem('too-slow', text, cause);
}

function toProblem(error: unknown): unknown {
  return error instanceof GitFailed
    ? gitProblem('failed', `git failed: ${error.text.slice(0, 500)}`, error)
    : error;
}
