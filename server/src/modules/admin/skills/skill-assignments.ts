import { type AppConfig, listedName } from '@knowhow/shared/config/app-config';
import { isRecord } from '@knowhow/shared/is-record';
import { type Contents, type RawConfig, skillOfEntry } from '../../content/index.ts';
import type { AppAssignment, SkillAssignments } from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { isListed } from './skill-decisions.ts';

type Dependencies = Pick<SkillAdmin, 'contents' | 'contentWriter' | 'owners' | 'secrets'>;

/**
 * Removes all assignments of a skill from the configuration in one write, and its owner, and moves its
 * secrets to the bin. Otherwise, a new skill with the same name would inherit them.
 */
export async function takeAssignments(
  admin: Dependencies,
  name: string,
): Promise<SkillAssignments> {
  const { contents, contentWriter, owners, secrets } = admin;
  const taken = await contentWriter.transaction(async (transaction) => {
    const { skills, apps, groups } = contents();
    const found: SkillAssignments = {};
    if (Object.hasOwn(skills.skills ?? {}, name)) {
      await transaction.updateSkillsConfig((raw) => {
        const { about, others } = splitEntries(raw, name);
        found.entry = Object.assign({}, ...about);
        return { ...raw, skills: others };
      });
    }
    for (const [id, app] of apps) {
      const assignment = inApp(app, name);
      if (assignment) {
        found.apps = { ...found.apps, [id]: assignment };
        await transaction.updateApp(id, (raw) => withoutSkill(raw, name));
      }
    }
    for (const [id, { permissions }] of groups) {
      if (isListed(permissions?.skills, name)) {
        found.groups = [...(found.groups ?? []), id];
        await transaction.updateGroup(id, (raw) => editGrants(raw, (list) => without(list, name)));
      }
    }
    return found;
  });
  await secrets.discard(name);
  const owner = await owners.remove(name);
  return { ...taken, ...(owner ? { owner } : {}) };
}

/** Whether the configuration names a skill, whether it exists or not. */
export function isAssigned({ skills, apps, groups }: Contents, name: string): boolean {
  return (
    Object.hasOwn(skills.skills ?? {}, name) ||
    [...apps.values()].some((app) => inApp(app, name) !== undefined) ||
    [...groups.values()].some(({ permissions }) => isListed(permissions?.skills, name))
  );
}

/** Clears leftover assignments before skills with these names are created. */
export async function clearAssignments(
  admin: Dependencies,
  names: readonly string[],
): Promise<void> {
  const { contents, owners, secrets } = admin;
  for (const name of names.filter((each) => isAssigned(contents(), each))) {
    await takeAssignments(admin, name);
  }
  await secrets.discard(...names);
  await owners.remove(...names);
}

/** Restores assignments, in apps and groups that still exist. */
export async function giveAssignments(
  { contents, contentWriter, owners, secrets }: Dependencies,
  name: string,
  { entry, apps = {}, groups = [], owner }: SkillAssignments,
): Promise<void> {
  await contentWriter.transaction(async (transaction) => {
    const current = contents();
    if (entry !== undefined) {
      await transaction.updateSkillsConfig((raw) => ({
        ...raw,
        skills: { ...(isRecord(raw.skills) ? raw.skills : {}), [name]: entry },
      }));
    }
    for (const [id, assignment] of Object.entries(apps)) {
      if (current.apps.has(id)) {
        await transaction.updateApp(id, (raw) => withSkill(raw, name, assignment));
      }
    }
    for (const id of groups.filter((group) => current.groups.has(group))) {
      await transaction.updateGroup(id, (raw) =>
        editGrants(raw, (list) => [...without(list, name), name]),
      );
    }
  });
  await secrets.restore(name);
  await owners.restore(name, owner);
}

/** Entries about a skill, its own last, and the other entries of `skills.json`. */
function splitEntries(raw: RawConfig, name: string): { about: unknown[]; others: RawConfig } {
  const entries = Object.entries(isRecord(raw.skills) ? raw.skills : {});
  const isAbout = ([key, entry]: [string, unknown]) =>
    key === name ||
    (isRecord(entry) &&
      typeof entry.directory === 'string' &&
      skillOfEntry(key, { directory: entry.directory }) === name);
  const about = entries
    .filter(isAbout)
    .sort(([one], [other]) => Number(one === name) - Number(other === name))
    .map(([, entry]) => entry);
  return { about, others: Object.fromEntries(entries.filter((each) => !isAbout(each))) };
}

function inApp(
  { skills = [], pins, skillSettings }: AppConfig,
  name: string,
): AppAssignment | undefined {
  const position = skills.indexOf(name);
  const version = pins.get(name);
  const found: AppAssignment = {
    ...(position < 0 ? {} : { skills: position }),
    ...(version === undefined ? {} : { version }),
    ...(isListed(skillSettings.autoInject, name) ? { autoInject: true } : {}),
    ...(isListed(skillSettings.exclude, name) ? { exclude: true } : {}),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function withoutSkill(raw: RawConfig, name: string): RawConfig {
  const settings = raw.skillSettings;
  return {
    ...raw,
    ...(Array.isArray(raw.skills) ? { skills: without(raw.skills, name) } : {}),
    ...(isRecord(settings)
      ? {
          skillSettings: Object.fromEntries(
            Object.entries(settings).map(([key, value]) => [
              key,
              (key === 'autoInject' || key === 'exclude') && Array.isArray(value)
                ? without(value, name)
                : value,
            ]),
          ),
        }
      : {}),
  };
}

function withSkill(raw: RawConfig, name: string, assignment: AppAssignment): RawConfig {
  const plain = withoutSkill(raw, name);
  const { version } = assignment;
  const entry = version === undefined ? name : { name, version };
  const settings = isRecord(plain.skillSettings) ? plain.skillSettings : {};
  const added = (['autoInject', 'exclude'] as const).filter((key) => assignment[key]);
  return {
    ...plain,
    ...(assignment.skills === undefined
      ? {}
      : { skills: listIn(plain.skills).toSpliced(assignment.skills, 0, entry) }),
    ...(added.length === 0
      ? {}
      : {
          skillSettings: {
            ...settings,
            ...Object.fromEntries(added.map((key) => [key, [...listIn(settings[key]), name]])),
          },
        }),
  };
}

function editGrants(raw: RawConfig, edit: (list: unknown[]) => unknown[]): RawConfig {
  const permissions = isRecord(raw.permissions) ? raw.permissions : {};
  return { ...raw, permissions: { ...permissions, skills: edit(listIn(permissions.skills)) } };
}

function without(list: readonly unknown[], name: string): unknown[] {
  return list.filter((each) => listedName(each) !== name);
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
