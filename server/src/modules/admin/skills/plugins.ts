import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import type { Plugin } from '@knowhow/shared/skills/plugins';
import type { RawConfig } from '../../content/index.ts';
import { getSkillSettings, type InstalledPlugin } from '../../skills/index.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { withEntries } from './with-entries.ts';

export interface PluginChange {
  enabled?: boolean | undefined;
  trusted?: boolean | undefined;
  everywhere?: true | undefined;
}

/** The plugins of this installation, with their admin settings. */
export function listPlugins(admin: SkillAdmin): Plugin[] {
  return admin.plugins.plugins().map((plugin) => describe(admin, plugin));
}

/** Changes a plugin. Its skills follow at once; their settings are kept while it is disabled. */
export async function changePlugin(
  admin: SkillAdmin,
  id: string,
  { by, change }: Pick<Change, 'by'> & { change: PluginChange },
): Promise<Plugin> {
  const plugin = findPlugin(admin, id);
  const { everywhere, ...decided } = change;
  const asking = plugin.skills.filter(({ wantsEverywhere }) => wantsEverywhere);
  const names = everywhere ? asking.map(({ name }) => name) : [];
  await admin.contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => {
      const changed = withPlugin(raw, id, decided);
      return names.length === 0 ? changed : withEntries(changed, names, { global: true });
    }),
  );
  const { audit } = admin;
  const before = pickDecided(describe(admin, plugin));
  await audit.record({
    by,
    action: 'plugin-changed',
    kind: 'skill',
    target: id,
    before,
    after: { ...change },
  });
  return describe(admin, findPlugin(admin, id));
}

/** Deletes a plugin's folder with its skills and its settings. */
export async function removePlugin(
  admin: SkillAdmin,
  id: string,
  { by }: Pick<Change, 'by'>,
): Promise<{ id: string }> {
  const plugin = findPlugin(admin, id);
  const before = { skills: plugin.skills.map(({ name }) => name) };
  await admin.writer.exclusive(() => admin.plugins.remove(id));
  await admin.skills.refresh();
  await admin.contentWriter.transaction(({ updateSkillsConfig }) =>
    updateSkillsConfig((raw) => withoutPlugin(raw, id)),
  );
  const entry = { by, action: 'plugin-deleted', kind: 'skill', target: id } as const;
  await admin.audit.record({ ...entry, before, after: undefined });
  return { id };
}

function findPlugin({ plugins }: SkillAdmin, id: string): InstalledPlugin {
  const found = plugins.plugins().find((plugin) => plugin.id === id);
  if (!found) {
    throw problem('not-found', `There is no plugin "${id}".`);
  }
  return found;
}

function describe(
  { contents }: SkillAdmin,
  { id, manifest, skills, fault }: InstalledPlugin,
): Plugin {
  const config = contents().skills;
  const { plugins = {} } = config;
  const decided = Object.hasOwn(plugins, id) ? plugins[id] : undefined;
  return {
    id,
    name: manifest?.name ?? id,
    enabled: decided?.enabled !== false,
    trusted: decided?.trusted === true,
    skills: skills.map((skill) => ({
      ...skill,
      isEverywhere: getSkillSettings(skill.name, config)?.global === true,
    })),
    left: manifest?.left ?? [],
    ...(fault === undefined ? {} : { fault }),
  };
}

function pickDecided({ enabled, trusted }: Plugin) {
  return { enabled, trusted };
}

function withPlugin(raw: RawConfig, id: string, decided: PluginChange): RawConfig {
  const plugins = isRecord(raw.plugins) ? raw.plugins : {};
  const known = Object.hasOwn(plugins, id) && isRecord(plugins[id]) ? plugins[id] : {};
  const entries = new Map(Object.entries(plugins)).set(id, { ...known, ...decided });
  return { ...raw, plugins: Object.fromEntries(entries) };
}

function withoutPlugin(raw: RawConfig, id: string): RawConfig {
  const plugins = isRecord(raw.plugins) ? Object.entries(raw.plugins) : [];
  return { ...raw, plugins: Object.fromEntries(plugins.filter(([name]) => name !== id)) };
}
