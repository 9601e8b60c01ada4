import { createHash } from 'node:crypto';
import { Problem, problem } from '@knowhow/shared/problem';
import { createPauses } from '../../../platform/lib/create-pauses.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { RepositoryContent } from '../git/build-repository.ts';
import type { RepositoryFile } from '../git/fast-import.ts';
import type { SkillView } from '../skill-view.ts';
import { type DigestedFile, publishLimits } from '../store/digest-files.ts';
import type { VisibleSkill } from '../visible-skill.ts';
import { isGitFileName } from './git-file-names.ts';
import { writeMarketplace, writeReadme } from './marketplace.ts';

interface PublishedSkill {
  skill: VisibleSkill;
  files: readonly DigestedFile[];
}

const manifestName = 'SKILL.md';
/** All skills together. A skill has at most 16 MiB. */
const maxBytes = 1024 * 1024 * 1024;
const maxFiles = 200_000;
/** Time on the main thread before other requests are served, in milliseconds. */
const sliceMs = 10;
/** Skills that are read at the same time. */
const atOnce = 8;

/**
 * A digest of which skills a view has, in which versions. Views with the same one show the same skills, except for
 * files that were edited in the file system since.
 */
export async function digestView(view: SkillView): Promise<string> {
  const hash = createHash('sha256');
  const pause = createPauses(sliceMs);
  for (const skill of view.skills) {
    const { id, checksum, fixedVersion } = skill;
    const version = view.getVersion(skill);
    hash.update(JSON.stringify([id, checksum, fixedVersion, version?.number, version?.digest]));
    await pause();
  }
  return hash.digest('hex');
}

/**
 * The repository of the skills in a view: their files below `skills/`, a marketplace file and a README. Leaves out
 * skills of other servers, skills above `publishLimits`, and names that git refuses. Hashes each file that is new.
 *
 * @throws a problem if they are too large together
 */
export async function collectPublished(view: SkillView): Promise<RepositoryContent> {
  const published: PublishedSkill[] = [];
  let bytes = 0;
  let files = 0;
  const skills = view.skills.filter(({ source }) => source !== 'mcp');
  for (let first = 0; first < skills.length; first += atOnce) {
    const some = skills.slice(first, first + atOnce);
    for (const each of await Promise.all(some.map((skill) => listFiles(view, skill)))) {
      if (each) {
        published.push(each);
        files += each.files.length;
        bytes += each.files.reduce((sum, { size }) => sum + size, 0);
      }
    }
    if (bytes > maxBytes || files > maxFiles) {
      throw problem('too-large', tooLarge);
    }
  }
  published.sort(({ skill: one }, { skill: other }) => (one.id < other.id ? -1 : 1));
  const own = ownFiles(published);
  const count = published.length;
  return {
    digest: await digestAll(own, published),
    message: `Publish ${count} ${count === 1 ? 'skill' : 'skills'}\n`,
    read: () => readAll(own, published),
  };
}

const tooLarge =
  'Your skills have more than 1 GiB or 200,000 files together. Use an address for single skills instead.';

/** Undefined for a skill above the limits, without a file named `SKILL.md`, or deleted meanwhile. */
async function listFiles(
  view: SkillView,
  skill: VisibleSkill,
): Promise<PublishedSkill | undefined> {
  const all = await view.digestFiles(skill, publishLimits).catch(ignoreDeleted);
  const files = all?.filter(({ path }) => !isGitFileName(path));
  return files?.some(({ path }) => path === manifestName) ? { skill, files } : undefined;
}

function ignoreDeleted(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not-found') {
    return undefined;
  }
  throw error;
}

function ownFiles(published: readonly PublishedSkill[]): RepositoryFile[] {
  const texts = {
    '.claude-plugin/marketplace.json': writeMarketplace(published.map(({ skill }) => skill)),
    'README.md': writeReadme(published.length),
  };
  return Object.entries(texts).map(([path, text]) => ({
    path,
    executable: false,
    bytes: Buffer.from(text),
  }));
}

async function digestAll(
  own: readonly RepositoryFile[],
  published: readonly PublishedSkill[],
): Promise<string> {
  const hash = createHash('sha256');
  const add = (path: string, executable: boolean, digest: string) =>
    hash.update(`${JSON.stringify([path, executable, digest])}\n`);
  for (const { path, executable, bytes } of own) {
    add(path, executable, sha256(bytes));
  }
  const pause = createPauses(sliceMs);
  for (const { skill, files } of published) {
    for (const { path, executable, digest } of files) {
      add(`${skill.id}/${path}`, executable, digest);
    }
    await pause();
  }
  return hash.digest('hex');
}

/** Throws a problem if a file has changed since it was listed: the digest would be wrong. */
async function* readAll(
  own: readonly RepositoryFile[],
  published: readonly PublishedSkill[],
): AsyncIterable<RepositoryFile> {
  yield* own;
  const pause = createPauses(sliceMs);
  for (const { skill, files } of published) {
    for (const { path, executable, digest, read } of files) {
      const bytes = await read();
      if (!bytes || sha256(bytes) !== digest) {
        throw problem('changed-meanwhile', 'A skill was changed meanwhile. Try again.');
      }
      yield { path: `skills/${skill.id}/${path}`, executable, bytes };
      await pause();
    }
  }
}
