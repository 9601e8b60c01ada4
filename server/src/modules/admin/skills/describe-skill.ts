import { countTokens } from '@knowhow/shared/count-tokens';
import type {
  AdminDiagnostic,
  AdminSkill,
  AdminSkillDetail,
} from '@knowhow/shared/skills/admin-skill';
import { fieldsFor } from '@knowhow/shared/skills/skill-fields';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import type { Contents } from '../../content/index.ts';
import {
  allowsScripts,
  describeContent,
  describeLocation,
  getSkillSettings,
  isFixable,
  listAllFiles,
  mayNameTools,
  renderCatalogue,
  type Skill,
  type SkillStore,
  shownTexts,
  toolFile,
} from '../../skills/index.ts';
import { isScript } from '../../tools/index.ts';
import { getAdminBlock } from './block-skill.ts';
import type { Surroundings } from './diagnose-needs.ts';
import { diagnoseToolCode } from './diagnose-runtimes.ts';
import { settingsChecksum } from './skill-decisions.ts';
import { deprecationField } from './skill-deprecation.ts';
import {
  entriesNamed,
  findEntry,
  getSkillStatus,
  isWritable,
  type SkillEntry,
} from './skill-entries.ts';
import { getSkillDiagnostics } from './skill-problems.ts';
import { skillReach } from './skill-reach.ts';
import { readTool } from './skill-tool-settings.ts';

/** Returns a function that describes skills for a list, in the current configuration. */
export function skillDescriber(admin: Surroundings): (entry: SkillEntry) => Promise<AdminSkill> {
  const contents = admin.contents();
  const reachOf = skillReach(contents, admin.skills.snapshot);
  return async (entry) => {
    const { name, skill, source } = entry;
    const settings = getSkillSettings(name, contents.skills);
    return {
      name,
      ...shownTexts(skill, settings),
      source: source.kind,
      location: describeLocation(entry),
      writable: isWritable(entry),
      ...pluginField(skill, contents),
      status: getSkillStatus(entry, contents.skills),
      ...blockField(name, contents),
      ...deprecationField(name, admin),
      ...fieldsFor(skill, 'admin', 'list'),
      diagnostics: adminDiagnostics(getSkillDiagnostics(entry, admin), skill),
      ...reachOf(name),
      priority: settings?.priority ?? 0,
      global: settings?.global ?? false,
      ...(await describeContent(entry)),
    };
  };
}

/** All details of a skill. Throws `not-found`. */
export async function describeSkill(admin: Surroundings, id: string): Promise<AdminSkillDetail> {
  const { skills: store } = admin;
  const contents = admin.contents();
  const entry = findEntry(store.snapshot, id);
  const { name, skill } = entry;
  const settings = getSkillSettings(name, contents.skills);
  const described = await skillDescriber(admin)(entry);
  const [body, fileList, ofFiles, tool] = await Promise.all([
    bodyOf(entry, store),
    listAllFiles(entry),
    store.diagnose(entry),
    readTool(entry),
  ]);
  const isAllowed = allowsScripts(name, contents.skills);
  const ofTool = diagnoseToolCode(tool, { runner: admin.scripts.runner, isAllowed });
  const hidden = entriesNamed(store.snapshot, name).filter(
    (other) => other.state === 'shadowed' && entry.state === 'offered',
  );
  return {
    ...described,
    diagnostics: [...described.diagnostics, ...adminDiagnostics([...ofTool, ...ofFiles], skill)],
    settingsChecksum: settingsChecksum(name, contents),
    ...fieldsFor(skill, 'admin', 'detail'),
    metadata: { ...skill.metadata },
    userInvocable: skill.userInvocable,
    modelInvocable: skill.modelInvocable,
    valid: entry.state !== 'unreadable' && skill.valid,
    ownDescription: skill.description,
    ownDisplayName: skill.displayName,
    overrides: {
      description: settings?.overrides?.description,
      displayName: settings?.overrides?.displayName,
    },
    discoverable: settings?.discoverable ?? false,
    ...(settings?.reviewBy === undefined ? {} : { reviewBy: settings.reviewBy }),
    scripts: {
      allowed: isAllowed,
      approved: settings?.approvedScripts === described.checksum,
      outdated: ![undefined, '', described.checksum].includes(settings?.approvedScripts),
      files: fileList
        .map(({ path }) => path)
        .filter((path) => isScript(path) || isToolCode(skill, path)),
    },
    listedInApps: idsOf(contents.apps, ({ skills }) => skills, name),
    grantedByGroups: idsOf(contents.groups, ({ permissions }) => permissions?.skills, name),
    ...describeFixedVersions(name, contents),
    ...approvalOf(entry, settings),
    tokens: estimateSkillTokens({ ...skill, description: described.description }, body),
    fileList,
    hides: hidden.map((other) => ({
      location: describeLocation(other),
      description: other.skill.description,
    })),
  };
}

/** The versions that apps pin or groups preview. */
function describeFixedVersions(
  name: string,
  { apps, skills: { previews = {} } }: Contents,
): Pick<AdminSkillDetail, 'pins' | 'preview'> {
  const pins = [...apps].flatMap(([app, { pins }]) => {
    const version = pins.get(name);
    return version === undefined ? [] : [{ app, version }];
  });
  const preview = Object.hasOwn(previews, name) ? previews[name] : undefined;
  return preview
    ? { pins, preview: { version: preview.version, groups: preview.groups } }
    : { pins };
}

function approvalOf(
  { stored }: SkillEntry,
  settings: ReturnType<typeof getSkillSettings>,
): Pick<AdminSkillDetail, 'approval'> {
  if (!stored?.source.isRemote) {
    return {};
  }
  const isOutdated = !mayNameTools(stored, settings) && settings?.approved !== undefined;
  return { approval: mayNameTools(stored, settings) ? 'given' : isOutdated ? 'outdated' : 'none' };
}

/** Code that the tool of a skill may run: for an imported one, all of it. */
function isToolCode({ metadata }: Skill, path: string): boolean {
  return metadata.tool === toolFile && /^assets\/original\/.*\.[cm]?js$/.test(path);
}

function pluginField({ plugin }: Skill, contents: Contents): Pick<AdminSkill, 'plugin'> {
  if (!plugin) {
    return {};
  }
  const { id } = plugin;
  const { plugins = {} } = contents.skills;
  const decided = Object.hasOwn(plugins, id) ? plugins[id] : undefined;
  const enabled = decided?.enabled !== false;
  return { plugin: { id, enabled, trusted: decided?.trusted === true } };
}

function blockField(name: string, { skills }: Contents): Pick<AdminSkill, 'block'> {
  const block = getAdminBlock(name, skills);
  return block ? { block } : {};
}

export function adminDiagnostics(
  diagnostics: readonly Diagnostic[],
  { description }: Skill,
): AdminDiagnostic[] {
  return diagnostics.map((each) => ({ ...each, fixable: isFixable(each.code, description) }));
}

/** Token costs of a skill: its entry in the catalogue, and its body after activation. */
export function estimateSkillTokens(skill: Skill, body: string): { entry: number; body: number } {
  const catalogue = renderCatalogue([skill], Number.POSITIVE_INFINITY).text;
  const entry = catalogue.split('\n').slice(1, -1).join('\n');
  return { entry: countTokens(entry), body: countTokens(body) };
}

async function bodyOf({ stored }: SkillEntry, store: SkillStore): Promise<string> {
  return stored && !stored.source.isRemote ? await store.readBody(stored).catch(() => '') : '';
}

/** Items that list this skill by name, not with `*`. */
function idsOf<Item>(
  items: ReadonlyMap<string, Item>,
  listOf: (item: Item) => readonly string[] | undefined,
  name: string,
): string[] {
  return [...items].filter(([, item]) => listOf(item)?.includes(name)).map(([id]) => id);
}
