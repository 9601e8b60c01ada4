import { isRecord } from '@knowhow/shared/is-record';
import { Problem, problem } from '@knowhow/shared/problem';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { type LockedSource, sourcesLockSchema } from '@knowhow/shared/skills/skill-sources-lock';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { type ContentWriter, type RawConfig, sourcesLockPath } from '../../content/index.ts';
import {
  describeContent,
  readContent,
  type SourceStates,
  type Taking,
} from '../../skills/index.ts';
import { findConflict } from '../skills/report-archive.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import type { Candidate } from './propose-changes.ts';

/** The entry of a source in `skill-sources-lock.json`; undefined if it has none, or reads something else now. */
export async function readLocked(
  { contentWriter }: { contentWriter: Pick<ContentWriter, 'readFile'> },
  { id, url, ref }: SkillSourceConfig,
): Promise<LockedSource | undefined> {
  const file = await contentWriter.readFile(sourcesLockPath);
  if (!file) {
    return undefined;
  }
  const { data } = sourcesLockSchema.safeParse(file.config);
  if (!data) {
    throw problem(
      'conflict',
      `contents/${sourcesLockPath} has a mistake. Restore it, or delete it to begin with the newest commits.`,
    );
  }
  return data.sources.find((each) => each.id === id && each.url === url && each.ref === ref);
}

/** Says where the commit comes from if the repository does not have it. */
export async function withLockHint<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem) || error.issues?.[0]?.code !== 'no-ref') {
      throw error;
    }
    const where = `It is the commit in contents/${sourcesLockPath}. Delete the entry there to begin with the newest one.`;
    const { issues } = error;
    throw problem(error.code, `${error.message} ${where}`, { issues, cause: error });
  }
}

/**
 * The skills here that were taken from the locked commit elsewhere: they follow the source from now on. A skill that
 * was edited meanwhile does so too, if the commit has the files that it was taken with.
 */
export async function adoptLocked(
  admin: Pick<SkillAdmin, 'skills'>,
  { commit, skills }: LockedSource,
  { candidates, trees }: { candidates: readonly Candidate[]; trees: ReadonlyMap<string, string> },
): Promise<Taking[]> {
  const locked = new Map(skills.map((each) => [each.name, each]));
  const adopted: Taking[] = [];
  for (const { prepared, checksum: newest } of candidates) {
    const { name: skill, root, files } = prepared;
    const entry = findConflict(admin, skill);
    const known = locked.get(skill);
    if (!entry || !known || known.path !== root) {
      continue;
    }
    const { checksum } = known;
    const taking = { skill, path: root, commit, checksum, tree: undefined, hasVersion: false };
    if (checksum === newest) {
      adopted.push({ ...taking, tree: trees.get(root), files });
    } else if (checksum === (await describeContent(entry)).checksum) {
      adopted.push({ ...taking, files: await readContent(entry) });
    }
  }
  return adopted;
}

interface LockOptions extends Pick<SkillAdmin, 'contentWriter'> {
  states: SourceStates;
}

/**
 * Writes which skills follow a source to `skill-sources-lock.json`. A failure is recorded as that of the sync: the skills are
 * installed already.
 *
 * @param commit the commit from which skills were taken; by default, the one in the file
 */
export async function updateLocked(
  { contentWriter, states }: LockOptions,
  source: SkillSourceConfig,
  commit?: string,
): Promise<void> {
  const { id, url, ref } = source;
  const taken = (await states.taken(id)).filter(({ detachedAt }) => detachedAt === undefined);
  const skills = taken.map(({ skill, path, checksum }) => ({ name: skill, path, checksum }));
  const change = (raw: RawConfig, skillsOfEntry: typeof skills): RawConfig => {
    const listed = Array.isArray(raw.sources) ? raw.sources.filter(isRecord) : [];
    const known = listed.find((each) => each.id === id);
    const locked = commit ?? known?.commit;
    if (!known && (skills.length === 0 || locked === undefined)) {
      return raw;
    }
    const others = listed.filter((each) => each !== known);
    const branch = ref === undefined ? {} : { ref };
    const entry = { id, url, ...branch, commit: locked, skills: skillsOfEntry };
    const sources = skills.length === 0 ? others : [...others, entry];
    return { ...raw, sources: sources.sort((one, other) => compareIds(one.id, other.id)) };
  };
  const write = (skillsOfEntry: typeof skills) =>
    contentWriter.transaction(({ updateSourcesLock }) =>
      updateSourcesLock((raw) => change(raw, skillsOfEntry)),
    );
  try {
    await write(skills).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'too-large') {
        return write([]);
      }
      throw error;
    });
  } catch (error) {
    const message = `contents/${sourcesLockPath} cannot be written: ${getErrorMessage(error)}`;
    await states.record(id, { error: message });
    // Otherwise the next sync finds that the commit was seen, and does not write the file.
    await states.compareAgain(id);
  }
}

/** The file without the entry of a source. */
export function withoutLocked(raw: RawConfig, id: string): RawConfig {
  return Array.isArray(raw.sources)
    ? { ...raw, sources: raw.sources.filter((each) => !isRecord(each) || each.id !== id) }
    : raw;
}

function compareIds(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : 1;
}
