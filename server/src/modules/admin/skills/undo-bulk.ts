import { listedName, listPins } from '@knowhow/shared/config/app-config';
import { Problem, problem } from '@knowhow/shared/problem';
import {
  type BulkReach,
  findUndoable,
  type LeftReason,
  type UndoableChange,
  type Undone,
} from '@knowhow/shared/skills/skill-bulk';
import type { RawConfig } from '../../content/index.ts';
import type { UserAdmin } from '../../identity/index.ts';
import { listOf, readSwitch, recordBulk, writeList } from './bulk-skills.ts';
import { countMembers, withHeirs } from './grant-access.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { entriesNamed, findEntry } from './skill-entries.ts';
import { skillReach } from './skill-reach.ts';
import { checkKnown, checkSwitch } from './update-skill.ts';
import { withEntries } from './with-entries.ts';

export type ReachAdmin = SkillAdmin & { userAdmin: Pick<UserAdmin, 'list'> };
type Switch = Extract<UndoableChange, { after: { enabled: boolean } }>;
type Assignment = Exclude<UndoableChange, Switch>;
type Target = { kind: 'apps' | 'groups'; id: string };

/** How many apps offer one of these skills, and how many enabled accounts may use one of them. */
export async function countReach(
  { contents, skills, userAdmin }: ReachAdmin,
  names: readonly string[],
): Promise<BulkReach> {
  const current = contents();
  const reachOf = skillReach(current, skills.snapshot);
  const reached = names.map(reachOf);
  const groups = new Set(reached.flatMap((each) => each.groups));
  return {
    apps: new Set(reached.flatMap(({ apps }) => apps)).size,
    people: countMembers(await userAdmin.list(), current, groups),
  };
}

/** Says which skills an undo would restore now, and how far it reaches. Throws `not-found` without such an entry. */
export async function previewUndo(admin: ReachAdmin, id: string): Promise<Undone & BulkReach> {
  const { change } = await findChange(admin, id);
  const current = admin.contents();
  if (isSwitch(change)) {
    const undone = planSwitch(admin, change, { skills: current.skills.skills });
    return { ...undone, ...(await countReach(admin, undone.done)) };
  }
  const target = getTarget(change);
  checkKnown({ [target.kind]: [target.id] }, current);
  const pins = target.kind === 'apps' ? current.apps.get(target.id)?.pins : undefined;
  const list = listOf(current, target.kind, target.id).map((name) =>
    toEntry(name, pins?.get(name)),
  );
  const undone = planList(admin, change, list);
  const reach = await countReach(admin, undone.done);
  if (target.kind === 'apps') {
    return { ...undone, ...reach, apps: undone.done.length > 0 ? 1 : 0 };
  }
  const members = countMembers(
    await admin.userAdmin.list(),
    current,
    withHeirs(target.id, current),
  );
  return { ...undone, ...reach, people: undone.done.length > 0 ? members : 0 };
}

/**
 * Restores the values from before a bulk change, for the skills that still have the value that it set. The entry about
 * it can be undone as well.
 */
export async function undoBulk(admin: SkillAdmin, by: Change['by'], id: string): Promise<Undone> {
  const { change, at } = await findChange(admin, id);
  return isSwitch(change)
    ? undoSwitch(admin, by, { change, at })
    : undoAssignment(admin, by, { change, at });
}

interface Found<Each = UndoableChange> {
  change: Each;
  /** When the change was made. */
  at: string;
}

async function findChange({ audit }: Pick<SkillAdmin, 'audit'>, id: string): Promise<Found> {
  const entry = await audit.get(id);
  const change = entry && findUndoable(entry);
  if (!change) {
    throw problem(
      'not-found',
      'The audit log has no such change of several skills. Reload the audit log, and choose one with "Undo".',
    );
  }
  return { change, at: entry.at };
}

function isSwitch(change: UndoableChange): change is Switch {
  return 'enabled' in change.after;
}

async function undoSwitch(
  admin: SkillAdmin,
  by: Change['by'],
  { change, at }: Found<Switch>,
): Promise<Undone> {
  const { before, after } = change;
  let undone: Undone = { done: [], left: [] };
  let unset: string[] = [];
  await admin.contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => {
      undone = planSwitch(admin, change, raw);
      const formerlyUnset = new Set(before.unset);
      unset = undone.done.filter((name) => formerlyUnset.has(name));
      const set = undone.done.filter((name) => !formerlyUnset.has(name));
      const { enabled } = before;
      return undone.done.length === 0
        ? raw
        : withEntries(withEntries(raw, set, { enabled }), unset, { enabled: undefined });
    }),
  );
  const nowUnset = new Set(after.unset);
  const wasUnset = undone.done.filter((name) => nowUnset.has(name));
  await recordBulk(admin, by, {
    action: before.enabled ? 'switched-on' : 'switched-off',
    names: undone.done,
    before: { enabled: after.enabled, ...(wasUnset.length > 0 && { unset: wasUnset }) },
    after: { enabled: before.enabled, ...(unset.length > 0 && { unset }), undoes: at },
  });
  return undone;
}

/** Which switches get their earlier value. A skill without a setting of its own gets that back. */
function planSwitch(admin: SkillAdmin, { before, after }: Switch, raw: RawConfig): Undone {
  const { contents, skills } = admin;
  const nowUnset = new Set(after.unset);
  const formerlyUnset = new Set(before.unset);
  return plan(after.skills, (name) => {
    if (readSwitch(raw, name) !== (nowUnset.has(name) ? undefined : after.enabled)) {
      return 'changed';
    }
    if (entriesNamed(skills.snapshot, name).length === 0) {
      return 'missing';
    }
    const isBroken = before.enabled && !formerlyUnset.has(name) && !maySwitchOn(name);
    return isBroken ? 'broken' : undefined;
  });

  function maySwitchOn(name: string): boolean {
    try {
      checkSwitch(findEntry(skills.snapshot, name), { enabled: true }, contents());
      return true;
    } catch (error) {
      if (error instanceof Problem) {
        return false;
      }
      throw error;
    }
  }
}

async function undoAssignment(
  admin: SkillAdmin,
  by: Change['by'],
  { change, at }: Found<Assignment>,
): Promise<Undone> {
  const target = getTarget(change);
  checkKnown({ [target.kind]: [target.id] }, admin.contents());
  const isRemoval = change.action === 'assigned';
  const { pins: known } = change.action === 'assigned' ? change.after : change.before;
  const all = new Map(Object.entries(known));
  let undone: Undone = { done: [], left: [] };
  await writeList(admin, target, (list) => {
    undone = planList(admin, change, list);
    const done = new Set<unknown>(undone.done);
    return isRemoval
      ? list.filter((entry) => !done.has(listedName(entry)))
      : [...list, ...undone.done.map((name) => toEntry(name, all.get(name)))];
  });
  const pinned = undone.done.flatMap((name) => {
    const version = all.get(name);
    return version === undefined ? [] : [[name, version]];
  });
  const pins = { pins: Object.fromEntries(pinned) };
  await recordBulk(admin, by, {
    action: isRemoval ? 'unassigned' : 'assigned',
    names: undone.done,
    ...(isRemoval && { before: pins }),
    after: {
      [target.kind]: target.id,
      ...(!isRemoval && pinned.length > 0 && pins),
      undoes: at,
    },
  });
  return undone;
}

/** An entry of a list of skills, with the version to which it pins one. */
function toEntry(name: string, version: number | undefined) {
  return version === undefined ? name : { name, version };
}

/** Which skills leave a list of an app or group again, or return to it. */
function planList(
  { skills }: SkillAdmin,
  { action, after }: Assignment,
  list: readonly unknown[],
): Undone {
  const listed = new Set(list.map(listedName));
  const pins = listPins(list);
  return plan(after.skills, (name) => {
    if (action === 'assigned') {
      const isSame = listed.has(name) && pins.get(name) === after.pins[name];
      return isSame ? undefined : 'changed';
    }
    if (listed.has(name) || listed.has('*')) {
      return 'changed';
    }
    return entriesNamed(skills.snapshot, name).length === 0 ? 'missing' : undefined;
  });
}

function getTarget({ after: { apps, groups } }: Assignment): Target {
  return apps === undefined ? { kind: 'groups', id: groups ?? '' } : { kind: 'apps', id: apps };
}

function plan(
  names: readonly string[],
  findReason: (name: string) => LeftReason | undefined,
): Undone {
  const undone: Undone = { done: [], left: [] };
  for (const name of new Set(names)) {
    const reason = findReason(name);
    if (reason === undefined) {
      undone.done.push(name);
    } else {
      undone.left.push({ name, reason });
    }
  }
  return undone;
}
