import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { severalTargets } from '@knowhow/shared/config/admin';
import { localize } from '@knowhow/shared/config/localized';
import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { problem } from '@knowhow/shared/problem';
import type { BinnedSkill, BinResult } from '@knowhow/shared/skills/skill-bin';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Contents } from '../../content/index.ts';
import type { DeletedSkill } from '../../skills/index.ts';
import { forEachName } from './bulk-skills.ts';
import { getPublishingPolicy, rejectWithoutRight } from './publishing-policy.ts';
import { readFormerCategories, restoreVersion } from './restore-version.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { entriesNamed } from './skill-entries.ts';
import { localEntry } from './skill-versions.ts';

export interface BinChange {
  by: Change['by'];
  isPublisher: boolean;
  /** Throws if the caller has lost access: thousands of skills take about a minute. */
  checkAccess: () => Promise<unknown>;
  /** Why failed required checks do not stop a restore. */
  reason?: string | undefined;
}

/** Deleted skills with these letters in their names, the last deleted first. A folder that is back is not deleted. */
export async function listDeleted(
  { bin, skills }: Pick<SkillAdmin, 'bin' | 'skills'>,
  query = '',
): Promise<{ found: DeletedSkill[]; all: number }> {
  const wanted = query.trim().toLowerCase();
  const deleted = (await bin.list()).filter(({ name }) => !localEntry(skills.snapshot, name));
  const found = deleted.filter(({ name, assignments: { displayName = '' } }) =>
    `${name}\n${displayName}`.toLowerCase().includes(wanted),
  );
  return { found, all: deleted.length };
}

/** Describes a page of deleted skills, with what still exists of that which a restore brings back. */
export async function describeDeleted(
  { bin, contents, owners }: Pick<SkillAdmin, 'bin' | 'contents' | 'owners'>,
  deleted: readonly DeletedSkill[],
  language: string,
): Promise<BinnedSkill[]> {
  const names = deleted.map(({ name }) => name);
  const [stored, known] = await Promise.all([bin.measure(names), owners.findAll(names)]);
  const { apps, groups, skills } = contents();
  const described: BinnedSkill[] = [];
  for (const { name, number, deletedAt, deletedBy, since, assignments } of deleted) {
    const former = assignments.owner && (await owners.describe(assignments.owner));
    const owner = former ?? known.get(name);
    const { versions = 0, files = 0, bytes = 0 } = stored.get(name) ?? {};
    described.push({
      name,
      displayName: withoutHiddenCharacters(assignments.displayName ?? name),
      number,
      deletedAt,
      ...(deletedBy === undefined ? {} : { deletedBy }),
      ...getRemoval(skills, since),
      versions,
      files,
      bytes,
      ...(owner ? { owner: owner.name } : {}),
      apps: Object.keys(assignments.apps ?? {}).flatMap((id) => {
        const app = apps.get(id);
        return app ? localize(app.name, language) : [];
      }),
      groups: (assignments.groups ?? []).flatMap((id) => groups.get(id)?.name ?? []),
      hasSettings: assignments.entry !== undefined,
    });
  }
  return described;
}

/** After an update or the restore of a backup, skills begin their time within minutes. */
function getRemoval({ settings }: Contents['skills'], since: string | undefined) {
  const { days } = settings.bin;
  const start = since === undefined ? Date.now() : Date.parse(since);
  return days === 0
    ? {}
    : { removedAt: new Date(start + Date.now() - daysAgo(days)).toISOString() };
}

/** Restores deleted skills. One entry in the audit log. */
export async function restoreDeleted(
  admin: SkillAdmin,
  { by, isPublisher, checkAccess, reason }: BinChange,
  names: readonly string[],
): Promise<BinResult> {
  const result: BinResult = { done: [], failed: [] };
  const isOne = names.length === 1;
  const audit = { ...admin.audit, record: () => Promise.resolve() };
  const restoring = isOne ? admin : { ...admin, audit };
  try {
    for (const name of names) {
      await checkAccess();
      await forEachName([name], result, () =>
        admin.writer.exclusive(async () => {
          const number = await findRestorable(admin, name);
          const write = { skill: name, by, isPublisher, expected: undefined };
          const said = { message: undefined, reason };
          return (await restoreVersion(restoring, { ...write, ...said }, number)).name;
        }),
      );
    }
  } finally {
    if (!isOne) {
      await record(admin, { by, action: 'restored', names: result.done, reason });
    }
  }
  return result;
}

/** The newest version with files. Throws if the skill is not in the bin, or has been created again. */
async function findRestorable({ bin, skills }: SkillAdmin, name: string): Promise<number> {
  await skills.refresh(name);
  if (localEntry(skills.snapshot, name)) {
    throw problem(
      'name-taken',
      `There is a skill "${name}" again. The versions of the deleted one are under "Versions" on its page: restore one of them there.`,
    );
  }
  const number = (await bin.find(name)) && (await bin.measure([name])).get(name)?.newest;
  if (number === undefined) {
    throw notInBin(name);
  }
  return number;
}

function notInBin(name: string) {
  return problem('not-found', `There is no deleted skill "${name}". Load the bin again.`);
}

/**
 * Deletes skills permanently: all versions, and secrets. Those that were restored or deleted again since `number` stay.
 * One entry in the audit log.
 */
export async function purgeDeleted(
  admin: SkillAdmin,
  { by, isPublisher, checkAccess }: BinChange,
  skills: readonly Pick<DeletedSkill, 'name' | 'number'>[],
): Promise<BinResult> {
  const result: BinResult = { done: [], failed: [] };
  const deleted = new Set((await admin.bin.list()).map(({ name }) => name));
  const numbers = new Map(skills.map(({ name, number }) => [name, number]));
  try {
    for (const [name, number] of numbers) {
      await yieldToEventLoop();
      await forEachName([name], result, async () => {
        if (!deleted.has(name)) {
          throw notInBin(name);
        }
        await checkAccess();
        const policy = getPublishingPolicy(
          admin,
          name,
          ...(await readFormerCategories(admin, name)),
        );
        rejectWithoutRight(policy, isPublisher, name);
        if (!(await purge(admin, { name, number }))) {
          throw notInBin(name);
        }
        return name;
      });
    }
  } finally {
    await record(admin, { by, action: 'purged', names: result.done });
  }
  return result;
}

type Expiring = Purging & Pick<SkillAdmin, 'audit' | 'contents'> & { log: Log };
type Purging = Pick<SkillAdmin, 'bin' | 'secrets' | 'skills' | 'writer'>;

function purge(
  { bin, secrets, skills, writer }: Purging,
  { name, number }: Pick<DeletedSkill, 'name' | 'number'>,
): Promise<boolean> {
  return writer.exclusive(async () => {
    await skills.refresh(name);
    if (localEntry(skills.snapshot, name) || (await bin.find(name))?.number !== number) {
      return false;
    }
    if (entriesNamed(skills.snapshot, name).length === 0) {
      // A folder that was removed by hand has left its secrets in place.
      await secrets.discard(name);
    }
    // First: if the server stops now, the skill is still in the bin, and is deleted the next time.
    await secrets.purge(name);
    return bin.purge(name, number);
  });
}

/** Deletes skills permanently whose time in the bin has ended. Begins that of new ones. */
export async function purgeExpired(admin: Expiring, signal: AbortSignal): Promise<void> {
  await admin.bin.begin();
  const { days } = admin.contents().skills.settings.bin;
  const last = new Date(daysAgo(days)).toISOString();
  const deleted = days === 0 ? [] : await admin.bin.list();
  const due = deleted.filter(({ since }) => since !== undefined && since < last);
  for (let at = 0; at < due.length && !signal.aborted; at += purgedTogether) {
    await purgeSome(admin, due.slice(at, at + purgedTogether), signal);
  }
}

/** Number of skills in one entry of the audit log: a kill leaves at most so few deletions without one. */
const purgedTogether = 20;

async function purgeSome(
  admin: Expiring,
  due: readonly DeletedSkill[],
  signal: AbortSignal,
): Promise<void> {
  const names: string[] = [];
  try {
    for (const skill of due) {
      if (!signal.aborted && (await tryPurge(admin, skill))) {
        names.push(skill.name);
      }
    }
  } finally {
    await record(admin, { by: { id: 'skill-bin', name: 'Knowhow' }, action: 'purged', names });
  }
}

/** One skill that cannot be deleted does not hold up the others. */
async function tryPurge(admin: Expiring, skill: DeletedSkill): Promise<boolean> {
  try {
    return await purge(admin, skill);
  } catch (error) {
    admin.log.error({ error, skill: skill.name }, 'a deleted skill could not be purged');
    return false;
  }
}

interface Recorded {
  by: Change['by'];
  action: 'restored' | 'purged';
  names: readonly string[];
  reason?: string | undefined;
}

async function record(
  { audit }: Pick<SkillAdmin, 'audit'>,
  { by, action, names, reason }: Recorded,
): Promise<void> {
  const [only, ...others] = names;
  if (only !== undefined) {
    const target = others.length === 0 ? only : severalTargets;
    const after = { skills: names, ...(reason === undefined ? {} : { override: { reason } }) };
    await audit.record({ by, action, kind: 'skill', target, after });
  }
}
