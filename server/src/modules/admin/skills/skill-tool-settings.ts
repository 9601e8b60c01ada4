import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import type {
  SkillToolSettings,
  skillToolSettingsApi,
} from '@knowhow/shared/skills/skill-tool-settings';
import type { z } from 'zod';
import { checkUnchanged } from '../../../platform/lib/check-unchanged.ts';
import type { RawConfig } from '../../content/index.ts';
import {
  getSkillSettings,
  maxToolBytes,
  parseSkillTool,
  runsCode,
  type SkillTool,
  type ToolSetting,
  toolFile,
} from '../../skills/index.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { settingsChecksum } from './skill-decisions.ts';
import { findEntry, type SkillEntry } from './skill-entries.ts';

type Changes = z.output<typeof skillToolSettingsApi.put.body>;

/** Settings of a skill's tool, without secrets; empty if it has none. */
export async function toolSettings(admin: SkillAdmin, name: string): Promise<SkillToolSettings> {
  return describe(admin, findEntry(admin.skills.snapshot, name));
}

/** Stores secrets encrypted in the database, and everything else in `skills.json`. */
export async function changeToolSettings(
  admin: SkillAdmin,
  { name, by, expected }: Change & { name: string },
  { hosts, settings = {} }: Changes,
): Promise<SkillToolSettings> {
  const entry = findEntry(admin.skills.snapshot, name);
  const known = settingsIn(await readTool(entry));
  checkNames(Object.keys(settings), known, entry.name);
  const isSecret = (key: string) => known.some((each) => each.name === key && each.secret);
  const secrets = Object.entries(settings).filter(([key]) => isSecret(key));
  const before = await describe(admin, entry);
  await admin.contentWriter.transaction(async ({ updateSkillsConfig }) => {
    checkUnchanged(expected, settingsChecksum(entry.name, admin.contents()));
    await admin.secrets.write(entry.name, Object.fromEntries(secrets));
    const plain = Object.entries(settings).map(
      ([key, value]) => [key, isSecret(key) ? null : value] as const,
    );
    await updateSkillsConfig((raw) => withTool(raw, entry.name, { hosts, plain }));
  });
  const after = await describe(admin, entry);
  await admin.audit.record({
    by,
    action: 'settings-changed',
    kind: 'skill',
    target: entry.name,
    before: namesIn(before),
    after: { ...namesIn(after), entered: Object.keys(settings) },
  });
  return after;
}

/** For the audit log: no values. */
function namesIn({ hosts, settings }: SkillToolSettings) {
  return { hosts, set: settings.filter(({ isSet }) => isSet).map(({ name }) => name) };
}

async function describe(
  { contents, secrets }: SkillAdmin,
  entry: SkillEntry,
): Promise<SkillToolSettings> {
  const tool = await readTool(entry);
  const { hosts = [], settings = {} } = getSkillSettings(entry.name, contents().skills)?.tool ?? {};
  const sealed = await secrets.read(entry.name);
  const has = (values: object, key: string) => Object.hasOwn(values, key);
  return {
    runsCode: tool !== undefined && runsCode(tool),
    hosts,
    settings: settingsIn(tool).map((setting) => {
      const { name, secret } = setting;
      const inFile = has(settings, name);
      const value = secret ? undefined : settings[name];
      return {
        ...setting,
        ...(inFile && value !== undefined ? { value } : {}),
        isSet: inFile || (secret && has(sealed, name)),
        inFile: secret && inFile,
      };
    }),
  };
}

function settingsIn(tool: SkillTool | undefined): ToolSetting[] {
  return tool?.run.type === 'plugin' ? tool.run.settings : [];
}

/** The tool of a skill; undefined if there is none, or if it is unreadable. */
export async function readTool({ skill, stored }: SkillEntry): Promise<SkillTool | undefined> {
  if (skill.metadata.tool !== toolFile || !stored) {
    return undefined;
  }
  const file = await stored.source.open(stored.path, toolFile).catch(() => undefined);
  if (!file || file.size > maxToolBytes) {
    return undefined;
  }
  const text = (await file.read(0, file.size)).toString('utf8');
  return parseSkillTool(text);
}

function checkNames(names: readonly string[], known: readonly ToolSetting[], skill: string): void {
  const unknown = names.find((name) => !known.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw problem('invalid-request', `Skill "${skill}" has no setting "${unknown}".`, {
      issues: [{ path: `settings.${unknown}`, code: 'unknown', message: 'Unknown setting.' }],
    });
  }
}

interface Written {
  hosts: readonly string[] | undefined;
  /** Null removes a value. */
  plain: readonly (readonly [string, string | null])[];
}

function withTool(raw: RawConfig, name: string, { hosts, plain }: Written): RawConfig {
  const skills = new Map(Object.entries(recordIn(raw.skills)));
  const entry = recordIn(skills.get(name));
  const tool = recordIn(entry.tool);
  const settings = new Map(Object.entries(recordIn(tool.settings)));
  for (const [key, value] of plain) {
    if (value === null) {
      settings.delete(key);
    } else {
      settings.set(key, value);
    }
  }
  const changed = {
    ...tool,
    ...(hosts ? { hosts } : {}),
    settings: settings.size > 0 ? Object.fromEntries(settings) : undefined,
  };
  skills.set(name, { ...entry, tool: changed });
  return { ...raw, skills: Object.fromEntries(skills) };
}

function recordIn(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
