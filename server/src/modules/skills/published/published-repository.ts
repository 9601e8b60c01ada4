import { Problem } from '@knowhow/shared/problem';
import { addToCache } from '../../../platform/lib/add-to-cache.ts';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import type { GitClient, GitRequest, ServedRepositories } from '../git/served-repositories.ts';
import type { SkillView } from '../skill-view.ts';
import { collectPublished, digestView } from './published-files.ts';

/** The git repository of what each caller may use. */
export interface PublishedRepository {
  /**
   * Answers a git client that begins, from the files as they are now. See `ServedRepositories.advertise`.
   *
   * @param getView what the caller may use at this moment. Asked again after a build
   * @throws a problem if git is missing or fails, or if the skills are too large together
   */
  advertise(getView: GetView, client: GitClient): Promise<Buffer>;
  /**
   * Answers a request that follows. It gets the same repository if its view shows the same skills.
   *
   * @throws the same
   */
  answer(getView: GetView, request: GitRequest): Promise<void>;
}

type GetView = () => Promise<SkillView>;

/** For the requests of one fetch. */
const maxAgeMs = 60_000;
const maxCached = 1000;
const maxAttempts = 3;

export function createPublishedRepository(repositories: ServedRepositories): PublishedRepository {
  /** Digests of repositories by `digestView`. */
  const recent = new Map<string, { digest: string; at: number }>();
  const preparing = new Map<string, Promise<string>>();
  const twoAtOnce = limitConcurrency(2);

  const prepareNow = async (view: SkillView, key: string): Promise<string> => {
    const at = Date.now();
    const digest = await collectAndBuild(view, repositories);
    recent.delete(key);
    addToCache(recent, { key, value: { digest, at }, max: maxCached });
    return digest;
  };
  const prepare = (view: SkillView, key: string): Promise<string> => {
    const known = preparing.get(key);
    if (known) {
      return known;
    }
    const started = twoAtOnce(() => prepareNow(view, key)).finally(() => preparing.delete(key));
    preparing.set(key, started);
    return started;
  };
  /**
   * Repeats if a skill was withdrawn while the repository was built, or if it is deleted before it is read, because
   * many others are built.
   */
  const withPrepared = async <Result>(
    getView: GetView,
    signal: AbortSignal,
    read: (digest: string) => Promise<Result | undefined>,
  ): Promise<Result> => {
    for (;;) {
      signal.throwIfAborted();
      const view = await getView();
      const digest = await prepare(view, await digestView(view));
      const result = showsAll(await getView(), view) ? await read(digest) : undefined;
      if (result !== undefined) {
        return result;
      }
    }
  };

  return {
    advertise: (getView, client) =>
      withPrepared(getView, client.signal, (digest) => repositories.advertise(digest, client)),
    answer: async (getView, request) => {
      const answer = (digest: string) => repositories.answer(digest, request);
      const known = recent.get(await digestView(await getView()));
      const isRecent = known !== undefined && Date.now() - known.at < maxAgeMs;
      if (!isRecent || !(await answer(known.digest))) {
        await withPrepared(getView, request.signal, answer);
      }
    },
  };
}

/** Whether a view shows all skills of an earlier one. */
function showsAll(view: SkillView, earlier: SkillView): boolean {
  const ids = new Set(view.skills.map(({ id }) => id));
  return earlier.skills.every(({ id }) => ids.has(id));
}

/** Starts again if a skill changes meanwhile. Returns the digest of the repository. */
async function collectAndBuild(
  view: SkillView,
  repositories: ServedRepositories,
  attempt = 1,
): Promise<string> {
  const content = await collectPublished(view);
  try {
    await repositories.prepare(content);
    return content.digest;
  } catch (error) {
    const isChanged = error instanceof Problem && error.code === 'changed-meanwhile';
    if (!isChanged || attempt >= maxAttempts) {
      throw error;
    }
    return collectAndBuild(view, repositories, attempt + 1);
  }
}
