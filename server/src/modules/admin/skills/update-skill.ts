import { type AppConfig, listedName } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { noRunner } from '@knowhow/shared/skills/skills-config';
import type { z } from 'zod';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import type { Contents, ContentTransaction } from '../../content/index.ts';
import { canBeOffered, describeContent, getSkillSettings } from '../../skills/index.ts';
import { describeSkill } from './describe-skill.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { getSkillDecisions, isListed, settingsChecksum } from './skill-decisions.ts';
import { checkSuccessor } from './skill-deprecation.ts';
import { findEntry, type SkillEntry } from './skill-entries.ts';

export type SkillSettings = z.output<typeof adminSkillsApi.update.body>;
type Raw = Record<string, unknown>;

/**
 * Enables or disables a skill and changes its assignments in `skills.json`, the apps' files and
 * `groups.json`, atomically. The expected checksum is that of its settings or, for older clients,
 * of its files.
 */
export async function updateSkill(
  admin: SkillAdmin,
  { name, by, expected }: Change & { name: string },
  settings: SkillSettings,
): Promise<AdminSkillDetail> {
  const { contents, contentWriter, skills, audit } = admin;
  const entry = findEntry(skills.snapshot, name);
  const { checksum } = await describeContent(entry);
  const before = await contentWriter.transaction(async (transaction) => {
    const current = contents();
    const decided = auditedOf(entry.name, current);
    if (expected !== checksum) {
      checkUnchanged(expected, settingsChecksum(entry.name, current));
    }
    checkKnown(settings, current);
    checkSwitch(entry, settings, current);
    checkScripts(admin, settings, checksum);
    checkApproval(entry, settings);
    checkSuccessor(admin, entry.name, settings);
    await writeSettings(transaction, current, { name: entry.name, settings });
    return decided;
  });
  const after = auditedOf(entry.name, contents());
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await audit.record({
      by,
      action: actionOf(settings),
      kind: 'skill',
      target: entry.name,
      before,
      after,
    });
  }
  return describeSkill(admin, entry.name);
}

/** Without settings of its tool, which may be secret. */
function auditedOf(name: string, contents: Contents) {
  const { tool: _, ...decided } = getSkillDecisions(name, contents);
  return decided;
}

function actionOf({ enabled, ...others }: SkillSettings): string {
  if (enabled === undefined || Object.keys(others).length > 0) {
    return 'settings-changed';
  }
  return enabled ? 'switched-on' : 'switched-off';
}

/** Throws for unknown apps and groups. */
export function checkKnown({ apps = [], groups = [] }: SkillSettings, contents: Contents): void {
  const unknown = [
    ...apps.filter((id) => !contents.apps.has(id)).map((id) => ({ path: 'apps', id })),
    ...groups.filter((id) => !contents.groups.has(id)).map((id) => ({ path: 'groups', id })),
  ];
  if (unknown.length > 0) {
    const names = unknown.map(({ path, id }) => `${path}: "${id}"`).join(', ');
    throw problem('invalid-request', `Unknown: ${names}. Create them first, or leave them out.`, {
      issues: unknown.map(({ path, id }) => ({
        path,
        code: 'unknown',
        message: `"${id}" does not exist.`,
      })),
    });
  }
}

/** Throws for a skill that no model could choose. */
export function checkSwitch(
  { name, skill, state }: SkillEntry,
  { enabled, overrides }: SkillSettings,
  contents: Contents,
): void {
  const { description } = { ...getSkillSettings(name, contents.skills)?.overrides, ...overrides };
  if (!enabled || (state !== 'unreadable' && canBeOffered(skill, description))) {
    return;
  }
  const why =
    state === 'unreadable' || !skill.loads
      ? 'it cannot be read. Fix its SKILL.md first.'
      : 'it has no description. Add one to its SKILL.md, or give it one in its settings, first.';
  throw problem('conflict', `Skill "${name}" cannot be switched on: ${why}`);
}

/** Scripts can only be allowed with a runner, and approved in their current state. */
function checkScripts(
  { scripts }: Pick<SkillAdmin, 'scripts'>,
  { allowScriptExecution, approvedScripts = '' }: SkillSettings,
  checksum: string,
): void {
  if (allowScriptExecution && !scripts.runner) {
    throw problem('invalid-request', noRunner, {
      issues: [{ path: 'allowScriptExecution', code: 'no-runner', message: noRunner }],
    });
  }
  if (approvedScripts !== '' && approvedScripts !== checksum) {
    throw problem(
      'conflict',
      'The files of this skill have changed in the meantime. Review its scripts again before you approve them.',
    );
  }
}

/** Only the current files of a skill on another server can be approved. */
function checkApproval({ name, stored }: SkillEntry, { approved }: SkillSettings): void {
  if (approved === undefined || approved === '') {
    return;
  }
  if (!stored?.source.isRemote) {
    throw problem('conflict', `Skill "${name}" is our own: there is nothing to approve.`);
  }
  if (stored.checksum !== approved) {
    throw problem(
      'conflict',
      `Skill "${name}" has changed on its server in the meantime. Review it again before you approve it.`,
    );
  }
}

/** Writes admin settings of a skill to `skills.json`; omitted fields are unchanged. */
export async function writeEntry(
  { contentWriter }: SkillAdmin,
  name: string,
  entry: Omit<SkillSettings, 'apps' | 'groups'> & { reviewBy?: string | null },
): Promise<void> {
  await contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => changeEntry(raw, name, entry)),
  );
}

/** Atomic. */
async function writeSettings(
  transaction: ContentTransaction,
  contents: Contents,
  { name, settings: { apps, groups, ...entry } }: { name: string; settings: SkillSettings },
): Promise<void> {
  if (Object.keys(entry).length > 0) {
    await transaction.updateSkillsConfig((raw) => changeEntry(raw, name, entry));
  }
  for (const [id, app] of apps ? contents.apps : []) {
    if (isListed(app.skills, name) !== apps?.includes(id)) {
      await transaction.updateApp(id, (raw) => ({
        ...raw,
        ...withSkillInApp(app, raw, name, apps?.includes(id) ?? false),
      }));
    }
  }
  for (const [id, { permissions }] of groups ? contents.groups : []) {
    if (isListed(permissions?.skills, name) !== groups?.includes(id)) {
      await transaction.updateGroup(id, (raw) => {
        const own = asRecord(raw.permissions);
        const skills = withSkill(own.skills, name, groups?.includes(id) ?? false);
        return { ...raw, permissions: { ...own, skills } };
      });
    }
  }
}

/** Removes an exclusion by listing the skill explicitly, even in apps with `*`. */
function withSkillInApp(app: AppConfig, raw: Raw, name: string, wanted: boolean): Raw {
  const isExcluded = app.skillSettings.exclude?.includes(name) ?? false;
  const list: unknown[] = Array.isArray(raw.skills) ? raw.skills : [];
  return { skills: wanted && isExcluded ? [...list, name] : withSkill(list, name, wanted) };
}

/** With `*` in the list, names remain as they are. */
function withSkill(raw: unknown, name: string, wanted: boolean): unknown[] {
  const list: unknown[] = Array.isArray(raw) ? raw : [];
  const others = list.filter((each) => listedName(each) !== name);
  return wanted && !list.includes('*') ? [...others, name] : others;
}

/** An empty text removes an override. */
function changeEntry(raw: Raw, name: string, { overrides = {}, ...given }: Raw): Raw {
  const settings = withoutEmpty(given);
  const skills = asRecord(raw.skills);
  const known = Object.hasOwn(skills, name) ? asRecord(skills[name]) : {};
  const { overrides: old, ...others } = { ...known, ...settings } as Raw;
  const changed = Object.entries(asRecord(overrides)).map(([key, text]) => [key, `${text}`.trim()]);
  const removed = new Set(changed.filter(([, text]) => text === '').map(([key]) => key));
  const all = Object.entries({ ...asRecord(old), ...Object.fromEntries(changed) });
  const remaining = all.filter(([key]) => !removed.has(key));
  const entry =
    remaining.length > 0 ? { ...others, overrides: Object.fromEntries(remaining) } : others;
  return { ...raw, skills: { ...skills, [name]: entry } };
}

/** An empty approval, and `null`, remove a field. */
function withoutEmpty(given: Raw): Raw {
  const entries = Object.entries(given).map(([key, value]) => [
    key,
    value === '' || value === null ? undefined : value,
  ]);
  return Object.fromEntries(entries);
}

function asRecord(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}
