import { severalTargets } from '@knowhow/shared/config/admin';
import { listedName, listPins } from '@knowhow/shared/config/app-config';
import { isRecord } from '@knowhow/shared/is-record';
import { Problem, problem } from '@knowhow/shared/problem';
import { findFailedChecks } from '@knowhow/shared/skills/publication-checks';
import type { BulkChange, BulkResult } from '@knowhow/shared/skills/skill-bulk';
import type { Contents, RawConfig } from '../../content/index.ts';
import { removeSkill } from './create-skill.ts';
import type { Change, SkillAdmin, SkillWrite } from './skill-admin.ts';
import { findEntry } from './skill-entries.ts';
import { checkKnown, checkSwitch } from './update-skill.ts';
import { withEntries } from './with-entries.ts';

type By = Change['by'];
type Kind = 'apps' | 'groups';
type Changed<Action> = Extract<BulkChange, { action: Action }>;
type Assignment = Changed<'assign'> | Changed<'unassign'>;

interface Asked {
  by: By;
  origin: SkillWrite['origin'];
  isPublisher: boolean;
  /** Throws if the caller has lost access: deleting thousands of skills takes about a minute. */
  checkAccess: () => Promise<unknown>;
}

/**
 * Changes many skills at once. A failure does not affect the others. One entry in the audit log.
 */
export function bulkSkills(
  admin: SkillAdmin,
  asked: Asked,
  change: BulkChange,
): Promise<BulkResult> {
  switch (change.action) {
    case 'switch':
      return switchSkills(admin, asked.by, change);
    case 'assign':
    case 'unassign':
      return assignSkills(admin, asked.by, change);
    case 'delete':
      return deleteSkills(admin, asked, change);
  }
}

async function switchSkills(
  admin: SkillAdmin,
  by: By,
  { names, enabled }: Changed<'switch'>,
): Promise<BulkResult> {
  const { contents, contentWriter, skills } = admin;
  const result = newResult();
  await forEachName(names, result, (name) => {
    const entry = findEntry(skills.snapshot, name);
    checkSwitch(entry, { enabled }, contents());
    return entry.name;
  });
  let changed: string[] = [];
  let unset: string[] = [];
  await contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => {
      changed = result.done.filter((name) => readSwitch(raw, name) !== enabled);
      unset = changed.filter((name) => readSwitch(raw, name) === undefined);
      return changed.length > 0 ? withEntries(raw, changed, { enabled }) : raw;
    }),
  );
  await recordBulk(admin, by, {
    action: enabled ? 'switched-on' : 'switched-off',
    names: changed,
    before: { enabled: !enabled, ...(unset.length > 0 && { unset }) },
    after: { enabled },
  });
  return result;
}

async function assignSkills(
  admin: SkillAdmin,
  by: By,
  { action, names, kind, id }: Assignment,
): Promise<BulkResult> {
  const { contents, skills } = admin;
  checkKnown({ [kind]: [id] }, contents());
  const listed = new Set(listOf(contents(), kind, id));
  const isWanted = action === 'assign';
  const result = newResult();
  await forEachName(names, result, (name) => {
    // An assigned skill that no longer exists can still be unassigned.
    const known = isWanted || !listed.has(name) ? findEntry(skills.snapshot, name).name : name;
    if (!isWanted && listed.has('*')) {
      const remedy =
        kind === 'apps' ? 'Take it out on the page of the app' : 'Switch that off there first';
      throw problem('conflict', `All skills are in "${id}". ${remedy}.`);
    }
    return known;
  });
  const excluded = new Set(excludedIn(contents(), kind, id));
  let changed: string[] = [];
  let pins: ReadonlyMap<string, number> = new Map();
  await writeList(admin, { kind, id }, (list) => {
    const now = new Set(list.map(listedName));
    changed = result.done.filter(
      (name) => now.has(name) !== isWanted && (!now.has('*') || excluded.has(name)),
    );
    const named = new Set<unknown>(changed);
    pins = listPins(list.filter((entry) => named.has(listedName(entry))));
    const others = list.filter((entry) => !named.has(listedName(entry)));
    return isWanted ? [...others, ...changed] : others;
  });
  await recordBulk(admin, by, {
    action: `${action}ed`,
    names: changed,
    ...(!isWanted && { before: { pins: Object.fromEntries(pins) } }),
    after: { [kind]: id },
  });
  return result;
}

/** The switch of a skill in `config/skills.json`. */
export function readSwitch(raw: RawConfig, name: string): unknown {
  const entry =
    isRecord(raw.skills) && Object.hasOwn(raw.skills, name) ? raw.skills[name] : undefined;
  return isRecord(entry) ? entry.enabled : undefined;
}

/** The names in the list of skills of an app or group. */
export function listOf(contents: Contents, kind: Kind, id: string): string[] {
  const list =
    kind === 'apps' ? contents.apps.get(id)?.skills : contents.groups.get(id)?.permissions?.skills;
  return list ?? [];
}

function excludedIn({ apps }: Contents, kind: Kind, id: string): readonly string[] {
  return (kind === 'apps' ? apps.get(id)?.skillSettings.exclude : undefined) ?? [];
}

/** Edits the list of skills of an app or group, as it is in its file. */
export async function writeList(
  { contentWriter }: Pick<SkillAdmin, 'contentWriter'>,
  { kind, id }: { kind: Kind; id: string },
  edit: (list: unknown[]) => unknown[],
): Promise<void> {
  const withList = (raw: RawConfig) => ({
    ...raw,
    skills: edit(Array.isArray(raw.skills) ? raw.skills : []),
  });
  await contentWriter.transaction(({ updateApp, updateGroup }) =>
    kind === 'apps'
      ? updateApp(id, withList)
      : updateGroup(id, (raw) => ({
          ...raw,
          permissions: withList(isRecord(raw.permissions) ? raw.permissions : {}),
        })),
  );
}

async function deleteSkills(
  admin: SkillAdmin,
  { by, origin, isPublisher, checkAccess }: Asked,
  change: Changed<'delete'>,
): Promise<BulkResult> {
  const result = newResult();
  const checksums = new Map(change.skills.map(({ name, checksum }) => [name, checksum]));
  // The audit log gets one entry for all.
  const withoutAudit = { ...admin, audit: { ...admin.audit, record: () => Promise.resolve() } };
  try {
    for (const [name, expected] of checksums) {
      await checkAccess();
      await forEachName([name], result, async () => {
        const write = {
          name,
          by,
          expected,
          origin,
          isPublisher,
          message: undefined,
          reason: undefined,
        };
        const { restorable, ...removed } = await removeSkill(withoutAudit, write);
        result.restorable[removed.name] = restorable;
        return removed.name;
      });
    }
  } finally {
    await recordBulk(admin, by, { action: 'deleted', names: result.done });
  }
  return result;
}

function newResult(): BulkResult {
  return { done: [], failed: [], restorable: {} };
}

/** Runs `action` for each name in sequence. It returns the name of the skill, or throws a problem. */
export async function forEachName(
  names: readonly string[],
  { done, failed }: Pick<BulkResult, 'done' | 'failed'>,
  action: (name: string) => string | Promise<string>,
): Promise<void> {
  const seen = new Set<string>();
  for (const name of new Set(names)) {
    try {
      const known = await action(name);
      // The same skill may be named in several spellings.
      if (!seen.has(known)) {
        seen.add(known);
        done.push(known);
      }
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      const checks = findFailedChecks(error);
      failed.push({ name, message: error.message, ...(checks.length > 0 && { checks }) });
    }
  }
}

interface Recorded {
  action: string;
  names: string[];
  before?: object;
  after?: object;
}

/** Records a change of several skills as one entry, which names them; nothing if there are none. */
export async function recordBulk(
  { audit }: Pick<SkillAdmin, 'audit'>,
  by: By,
  { action, names, before, after }: Recorded,
): Promise<void> {
  const [only, ...others] = names;
  if (only !== undefined) {
    const target = others.length === 0 ? only : severalTargets;
    const entry = { by, action, kind: 'skill' as const, target };
    await audit.record({ ...entry, before, after: { skills: names, ...after } });
  }
}
