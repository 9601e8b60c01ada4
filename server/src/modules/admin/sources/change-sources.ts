import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { RawConfig } from '../../content/index.ts';
import { parseGitAddress } from '../../skills/index.ts';
import type { Change, SkillAdmin } from '../skills/skill-admin.ts';
import { withoutLocked } from './sources-lock.ts';

type By = Change['by'];
/** Fields to set; null removes one. */
export type SourceFields = { [Field in keyof SkillSourceConfig]?: unknown };

/** Finds a source. Throws `not-found`. */
export function findSource({ contents }: SkillAdmin, id: string): SkillSourceConfig {
  const found = contents().skillSources.find((source) => source.id === id);
  if (!found) {
    throw problem('not-found', `There is no source "${id}".`);
  }
  return found;
}

/** Adds a source to `config/skill-sources.json`. Throws `name-taken` if its id is taken. */
export async function createSource(
  admin: SkillAdmin,
  by: By,
  source: SkillSourceConfig,
): Promise<SkillSourceConfig> {
  checkAddress(source);
  await write(admin, { by, id: source.id, action: 'created' }, (all) => {
    if (all.some(({ id }) => id === source.id)) {
      throw problem('name-taken', `There is a source "${source.id}" already. Choose another id.`);
    }
    return [...all, source];
  });
  return findSource(admin, source.id);
}

/** Changes fields of a source. Throws `changed-meanwhile` if it is not the expected one. */
export async function updateSource(
  admin: SkillAdmin,
  { by, id, expected }: Change & { id: string },
  fields: SourceFields,
): Promise<SkillSourceConfig> {
  const known = findSource(admin, id);
  const next = Object.fromEntries(
    Object.entries({ ...known, ...fields }).filter(([, value]) => value !== null),
  );
  checkAddress(next as SkillSourceConfig);
  await write(admin, { by, id, action: 'changed' }, (all) => {
    checkUnchanged(expected, sourceChecksum(findSource(admin, id)));
    return all.map((source) =>
      source.id === id
        ? Object.fromEntries(
            Object.entries({ ...source, ...fields }).filter(([, value]) => value !== null),
          )
        : source,
    );
  });
  return findSource(admin, id);
}

/** Removes a source and its locked commit, or neither of them. */
export async function removeSource(
  admin: SkillAdmin,
  { by, id }: { by: By; id: string },
): Promise<void> {
  findSource(admin, id);
  const { before } = await admin.contentWriter.transaction(
    async ({ updateSkillSources, updateSourcesLock }) => {
      await updateSourcesLock((raw) => withoutLocked(raw, id));
      return updateSkillSources((raw) => ({
        ...raw,
        sources: sourcesIn(raw).filter((source) => source.id !== id),
      }));
    },
  );
  await record(admin, { by, id, action: 'deleted' }, { before: findIn(before, id) });
}

/** Identifies the state of a source, for `If-Match`. */
export function sourceChecksum(source: SkillSourceConfig): string {
  return sha256(JSON.stringify(source));
}

/**
 * Throws a problem if the address or the ref cannot be read. A fragment may be meant as a branch, so it is not dropped
 * as in a link that is pasted for an import.
 */
function checkAddress({ url, ref }: Pick<SkillSourceConfig, 'url' | 'ref'>): void {
  if (url.includes('#')) {
    const text =
      'The address contains "#". Remove what follows it, and enter a branch or tag as the ref.';
    throw problem('invalid-request', text, {
      issues: [{ path: 'url', code: 'git-address', message: text }],
    });
  }
  parseGitAddress(url, { ref, withSsh: true });
}

interface SourceChange {
  by: By;
  id: string;
  action: string;
}

async function write(
  admin: SkillAdmin,
  change: SourceChange,
  changeAll: (sources: RawConfig[]) => RawConfig[],
): Promise<void> {
  const { before, after } = await admin.contentWriter.transaction(({ updateSkillSources }) =>
    updateSkillSources((raw) => ({ ...raw, sources: changeAll(sourcesIn(raw)) })),
  );
  const { id } = change;
  await record(admin, change, { before: findIn(before, id), after: findIn(after, id) });
}

async function record(
  { audit }: SkillAdmin,
  { by, id, action }: SourceChange,
  states: { before: RawConfig | undefined; after?: RawConfig | undefined },
): Promise<void> {
  await audit.record({ by, action, kind: 'settings', target: `skill-sources/${id}`, ...states });
}

function sourcesIn(raw: unknown): RawConfig[] {
  return isRecord(raw) && Array.isArray(raw.sources) ? raw.sources.filter(isRecord) : [];
}

function findIn(raw: unknown, id: string): RawConfig | undefined {
  return sourcesIn(raw).find((source) => source.id === id);
}
