import { posix } from 'node:path';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { SkillOrigin } from '@knowhow/shared/skills/skill-origin';
import {
  completeFrontmatter,
  diagnose,
  findPathIssue,
  type PackedFile,
  readSkillDocument,
  writeSkillFile,
} from '@knowhow/skill-format';
import { createTextFile, makeSkill, type SourceSkill } from './make-skill.ts';
import type { Contribution, PluginManifest } from './plugin-manifest.ts';
import { firstParagraph } from './typed-document.ts';

/** The remaining skills and files of a source. */
interface Rest {
  skills: readonly SourceSkill[];
  files: readonly PackedFile[];
}

/** The skills of a plugin: listed ones, those in its folder, and its commands. */
export function pluginSkills(
  plugin: PluginManifest,
  { skills, files }: Rest,
): { skills: SourceSkill[]; used: ReadonlySet<string> } {
  const { root } = plugin;
  const isInside = (path: string) => root === '' || path === root || path.startsWith(`${root}/`);
  const found = new Map(
    skills
      .filter((skill) => isInside(skill.root) && !skill.origin)
      .map((skill) => [skill.root, skill]),
  );
  const used = new Set<string>();
  const named = plugin.contributions.map((contribution) => {
    const skill = contributed(plugin, contribution, { found, files, used });
    found.delete(skill.root);
    return skill;
  });
  const others = [...found.values()].map((skill) => ({ ...skill, origin: originOf(plugin) }));
  const commands = files.filter((file) => isCommand(plugin, file.path));
  for (const { path } of commands) {
    used.add(path);
  }
  return {
    skills: [...named, ...others, ...commands.map((file) => commandSkill(plugin, file))],
    used,
  };
}

function originOf({ name, version }: PluginManifest, from?: string): SkillOrigin {
  const mapped = from === undefined ? [] : [{ from, to: 'SKILL.md' }];
  const full = version === undefined ? name : `${name} ${version}`;
  return { kind: 'plugin', name: full, mapped, left: [], off: false };
}

interface Found {
  found: ReadonlyMap<string, SourceSkill>;
  files: readonly PackedFile[];
  used: Set<string>;
}

/** A skill listed in the manifest, which completes missing frontmatter. */
function contributed(plugin: PluginManifest, contribution: Contribution, rest: Found): SourceSkill {
  const { id, source } = contribution;
  const origin = originOf(plugin, `skills.${id}`);
  const content = contentOf(plugin, contribution, rest);
  if (!content) {
    const file = source.kind === 'inline' ? id : source.path;
    return missing(plugin, contribution, diagnose('plugin-skill-missing', { values: { file } }));
  }
  const { id: folder, ...fields } = { ...contribution, name: contribution.name ?? id, slug: id };
  const text = completeFrontmatter(Buffer.from(content.main.bytes).toString('utf8'), fields);
  const main = { ...content.main, path: 'SKILL.md', bytes: Buffer.from(text) };
  const files = [main, ...content.others];
  return {
    folder: slug(folder) || 'skill',
    root: content.root ?? posix.join(plugin.root, `skills.${id}`),
    files,
    diagnostics: content.diagnostics,
    origin: {
      ...origin,
      off: contribution.defaultEnabled === false,
      ...(contribution.defaultEnabled ? { wantsEverywhere: true } : {}),
    },
  };
}

function missing(plugin: PluginManifest, { id }: Contribution, fault: ReturnType<typeof diagnose>) {
  return makeSkill({
    root: posix.join(plugin.root, `skills.${id}`),
    name: id,
    description: `A skill of the plugin ${plugin.name} that is not there.`,
    body: '',
    originals: [],
    diagnostics: [fault],
    origin: originOf(plugin),
  });
}

interface Content {
  main: PackedFile;
  others: readonly PackedFile[];
  /** Set if it is a complete skill. */
  root?: string;
  diagnostics: SourceSkill['diagnostics'];
}

function contentOf(
  plugin: PluginManifest,
  { source, files: named }: Contribution,
  { found, files, used }: Found,
): Content | undefined {
  if (source.kind === 'inline') {
    const others = named
      .filter(({ path }) => findPathIssue(path) === undefined && !/^skill\.md$/i.test(path))
      .map(({ path, content }) => createTextFile(path, content));
    return { main: createTextFile('SKILL.md', source.content), others, diagnostics: [] };
  }
  const path = posix.join(plugin.root, source.path);
  const isMain = source.kind === 'file' && /^skill\.md$/i.test(posix.basename(path));
  const parent = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const skill = found.get(isMain ? parent : path);
  const main = skill?.files.find((file) => file.path === 'SKILL.md');
  if (skill && main) {
    const others = skill.files.filter((file) => file !== main);
    return { main, others, root: skill.root, diagnostics: skill.diagnostics };
  }
  const file = source.kind === 'file' ? files.find((each) => each.path === path) : undefined;
  if (!file) {
    return undefined;
  }
  used.add(path);
  return { main: file, others: [], diagnostics: [] };
}

function isCommand({ root, commands }: PluginManifest, path: string): boolean {
  return (
    path.endsWith('.md') &&
    !/(?:^|\/)readme\.md$/i.test(path) &&
    commands.some((folder) => {
      const full = posix.join(root, folder);
      return path === full || path.startsWith(`${full}/`);
    })
  );
}

/** A Claude Code command becomes a skill that only users can activate by name. */
function commandSkill(plugin: PluginManifest, file: PackedFile): SourceSkill {
  const { fields, body } = readSkillDocument(file.bytes);
  const textOf = (key: string) => fields.get(key)?.text?.trim() || undefined;
  const name = slug(posix.basename(file.path, '.md')) || 'command';
  const description = textOf('description') ?? firstParagraph(body);
  const hint = textOf('argument-hint');
  const frontmatter = {
    name,
    description: [...(description || `The command ${name}.`)].slice(0, 1024).join(''),
    // Below `metadata`, since the specification has no such top-level fields.
    metadata: {
      origin: 'plugin',
      plugin: plugin.name,
      'disable-model-invocation': 'true',
      ...(hint === undefined ? {} : { 'argument-hint': hint }),
    },
  };
  const original = { ...file, path: `assets/original/${posix.basename(file.path)}` };
  return {
    folder: name,
    root: file.path,
    files: [createTextFile('SKILL.md', writeSkillFile(frontmatter, body)), original],
    diagnostics: [],
    origin: originOf(plugin, posix.relative(plugin.root, file.path)),
  };
}
