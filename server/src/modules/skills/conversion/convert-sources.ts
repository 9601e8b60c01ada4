import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isRecord } from '@knowhow/shared/is-record';
import type { GitCommit } from '@knowhow/shared/skills/git-commit';
import { summarizeLeftOut } from '@knowhow/shared/skills/left-out';
import type { SourcePlugin } from '@knowhow/shared/skills/skill-origin';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { getPluginRoot, isInManifestFolder } from '../archives/convertible-names.ts';
import { parentFolder } from '../archives/parent-folder.ts';
import type { ReadArchive } from '../archives/read-archive.ts';
import { splitFiles } from '../archives/split-files.ts';
import { defaultSizeLimits, inMebibytes, type SizeLimits } from '../archives/unpack-limits.ts';
import { findSkillRoot, foldersAbove, leftOutEntry } from '../archives/unpack-roots.ts';
import type { ArchivedSkill } from '../archives/unpack-skills.ts';
import { convertFlow, isFlow } from './agent-flow.ts';
import { applyAgentSettings } from './agent-settings.ts';
import {
  convertAnythingllmPlugin,
  exportsHandler,
  type SourceFolder,
} from './anythingllm-plugin.ts';
import { extractPlugins } from './extract-plugins.ts';
import { findTypedSkills } from './find-typed-skills.ts';
import type { SourceSkill } from './make-skill.ts';
import { listsSkills } from './plugin-manifest.ts';
import { maxSourceJsonBytes, readSourceJson, type SourceJson } from './read-source-json.ts';
import { createRejectedSkill, createRejectedSource } from './rejected-source.ts';
import { typedKinds } from './typed-kinds.ts';
import { convertTypedSkill, type TypedSource } from './typed-skill.ts';

/** The skills of a source, including converted ones. */
export interface ReadSources extends Pick<ReadArchive, 'leftOut'> {
  format: ReadArchive['format'] | 'git';
  skills: SourceSkill[];
  plugins: readonly SourcePlugin[];
  /** The name of the uploaded file, if it has one. */
  fileName?: string | undefined;
  /** The commit, if it is a git repository. */
  commit?: GitCommit;
}

/**
 * Converts everything a source contains besides skills: plugins and flows of AnythingLLM, typed
 * skills of Achilles, and plugins that bundle skills. Never throws: an invalid source becomes a
 * skill with an error and does not affect others. Yields to the event loop between sources.
 */
export async function convertSources(
  { format, skills, rejected, leftOut: unread, others }: ReadArchive,
  limits: SizeLimits = defaultSizeLimits,
): Promise<ReadSources> {
  const handlers = takeHandlers(others);
  await yieldToEventLoop();
  const flows = takeFlows(handlers.left);
  await yieldToEventLoop();
  const typed = findTypedSkills(flows.left);
  const nested = await nestedSources(skills, limits);
  const given = skills.map((skill) => reinterpretTyped(skill, typed.found.length > 0, limits));
  const rest = await extractPlugins({ skills: given, files: typed.left });
  const conversions = [
    ...handlers.found.map((folder) => () => guarded(folder, limits, convertAnythingllmPlugin)),
    ...flows.found.map(
      ({ file, flow }) =>
        () =>
          guarded({ root: file.path, files: [file] }, limits, () => convertFlow(file, flow)),
    ),
    ...typed.found.map((source) => () => guarded(source, limits, convertTypedSkill)),
  ];
  const converted: SourceSkill[] = [...flows.broken];
  for (const convert of conversions) {
    converted.push(convert());
    await yieldToEventLoop();
  }
  const unknown = rest.files.filter(isUnknownKind);
  converted.push(...unknown.map(refusedKind));
  const settled = applyAgentSettings({
    skills: [...rest.skills, ...converted, ...nested.skills],
    files: rest.files.filter((file) => !unknown.includes(file)),
    plugins: [...rest.plugins, ...nested.plugins],
  });
  const all = [...settled.skills];
  const roots = new Set([...all, ...rejected].map(({ root }) => root));
  const above = foldersAbove(roots);
  const left = settled.files.filter(({ path }) => findSkillRoot(roots, path) === undefined);
  return {
    format,
    skills: [...all, ...rejected.map(createRejectedSkill)],
    leftOut: summarizeLeftOut([...unread, ...left.map(({ path }) => leftOutEntry(path, above))]),
    plugins: settled.plugins,
  };
}

/** Converts plugins inside skill folders, whose files also belong to those skills. */
async function nestedSources(
  skills: readonly ArchivedSkill[],
  limits: SizeLimits,
): Promise<Pick<ReadSources, 'skills' | 'plugins'>> {
  const found: Pick<ReadSources, 'skills' | 'plugins'> = { skills: [], plugins: [] };
  for (const { root, files } of skills) {
    const within = files.map((file) => ({ ...file, path: posix.join(root, file.path) }));
    for (const folder of nestedPlugins(root, within)) {
      const inside = within.filter(({ path }) => path.startsWith(`${folder}/`));
      const split = await splitFiles(inside, limits);
      const { skills: brought, plugins } = await convertSources(split, limits);
      found.skills.push(...brought);
      found.plugins = [...found.plugins, ...plugins];
    }
  }
  return found;
}

/** The outermost plugin folders below a folder. */
function nestedPlugins(root: string, files: readonly PackedFile[]): string[] {
  const { found } = takeHandlers(files);
  const manifests = files.flatMap(({ path }) =>
    isInManifestFolder(path) ? (getPluginRoot(path) ?? []) : [],
  );
  const folders = [...new Set([...found.map((folder) => folder.root), ...manifests])]
    .filter((folder) => folder !== root && folder !== '')
    .sort();
  return folders.filter(
    (folder) => !folders.some((other) => other !== folder && folder.startsWith(`${other}/`)),
  );
}

/** A typed skill of unknown kind. */
function isUnknownKind({ path }: PackedFile): boolean {
  return /[^/]\.[a-z]{1,4}skill\.md$/i.test(path);
}

function refusedKind({ path }: PackedFile): SourceSkill {
  const kind = path.split('.').at(-2);
  const reason = `its kind "${kind}" is not known. Known are ${typedKinds.join(', ')}.`;
  return createRejectedSource(path, diagnose('source-refused', { values: { reason } }));
}

/** Converts a source within the size limits; failures become an error of that source only. */
function guarded<Source extends SourceFolder>(
  source: Source,
  limits: SizeLimits,
  convert: (source: Source) => SourceSkill,
): SourceSkill {
  const { root, files } = source;
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // Reserves space for generated files.
  if (files.length + 2 > limits.files || size > limits.bytes) {
    const values = { most: limits.files, size: inMebibytes(limits.bytes) };
    return createRejectedSource(root, diagnose('source-too-many-files', { values }));
  }
  const large = files.find((file) => isJudged(file) && file.bytes.length > maxSourceJsonBytes);
  if (large) {
    const values = { file: posix.basename(large.path), most: inMebibytes(maxSourceJsonBytes) };
    return createRejectedSource(root, diagnose('source-too-large', { values }));
  }
  try {
    return convert(source);
  } catch (error) {
    const reason = error instanceof Error ? `${error.message}.` : String(error);
    return createRejectedSource(root, diagnose('source-refused', { values: { reason } }));
  }
}

/** A file that becomes a schema or instructions. */
function isJudged({ path }: PackedFile): boolean {
  return path === 'plugin.json' || /(?:^|[./])[a-z]*skill\.md$/i.test(path);
}

/**
 * A `skill.md` that starts with a heading is a typed skill rather than one without frontmatter, as
 * is a `SKILL.md` among typed skills.
 */
function reinterpretTyped(
  skill: SourceSkill,
  isAmongTyped: boolean,
  limits: SizeLimits,
): SourceSkill {
  const main = skill.files.find(({ path }) => path === 'SKILL.md');
  const isLower = skill.diagnostics.some(({ values }) => values?.name === 'skill.md');
  const start = Buffer.from(main?.bytes.subarray(0, 256) ?? []).toString();
  if (!main || !(isLower || isAmongTyped) || !/^\ufeff?\s*# /.test(start)) {
    return skill;
  }
  const own = { ...main, path: isLower ? 'skill.md' : 'SKILL.md' };
  const files = skill.files.map((file) => (file === main ? own : file));
  const { root, folder: name } = skill;
  const source: TypedSource = { root, kind: 'skill', name, main: own, files };
  return guarded(source, limits, convertTypedSkill);
}

interface Taken<Found> {
  found: Found[];
  left: PackedFile[];
}

/** AnythingLLM plugins, identified by their manifest, or by a handler without one. */
function takeHandlers(files: readonly PackedFile[]): Taken<SourceFolder> {
  const paths = new Set(files.map(({ path }) => path));
  const roots = new Set<string>();
  for (const file of files) {
    const name = posix.basename(file.path);
    const folder = parentFolder(file.path);
    const isPlugin =
      (name === 'plugin.json' &&
        !isInManifestFolder(file.path) &&
        isHandlerManifest(file, paths)) ||
      (name === 'handler.js' &&
        file.bytes.length <= maxSourceJsonBytes &&
        exportsHandler(Buffer.from(file.bytes).toString('utf8')));
    if (isPlugin) {
      roots.add(folder);
    }
  }
  return takeFolders(files, roots);
}

function isHandlerManifest(file: PackedFile, paths: ReadonlySet<string>): boolean {
  const read = file.bytes.length > maxSourceJsonBytes ? undefined : readSourceJson(file);
  if (read && 'value' in read) {
    const { hubId, entrypoint } = read.value;
    return (hubId !== undefined || isRecord(entrypoint)) && !listsSkills(read.value);
  }
  return paths.has(posix.join(parentFolder(file.path), 'handler.js'));
}

/** A file belongs to its innermost matching folder. */
function takeFolders(
  files: readonly PackedFile[],
  roots: ReadonlySet<string>,
): Taken<SourceFolder> {
  const groups = new Map([...roots].map((root) => [root, [] as PackedFile[]]));
  const left: PackedFile[] = [];
  for (const file of files) {
    let folder = parentFolder(file.path);
    while (folder !== '' && !roots.has(folder)) {
      folder = parentFolder(folder);
    }
    const path = folder === '' ? file.path : file.path.slice(folder.length + 1);
    const group = groups.get(folder);
    if (group) {
      group.push({ ...file, path });
    } else {
      left.push(file);
    }
  }
  return { found: [...groups].map(([root, group]) => ({ root, files: group })), left };
}

function takeFlows(
  files: readonly PackedFile[],
): Taken<{ file: PackedFile; flow: Record<string, unknown> }> & { broken: SourceSkill[] } {
  const broken: SourceSkill[] = [];
  const found: { file: PackedFile; flow: Record<string, unknown> }[] = [];
  const left: PackedFile[] = [];
  for (const file of files) {
    const mayBe =
      file.path.endsWith('.json') && !/(?:plugin|marketplace|package)\.json$/.test(file.path);
    const read = mayBe && isSmall(file) ? readSourceJson(file) : undefined;
    if (read && 'value' in read && isFlow(read.value)) {
      found.push({ file, flow: read.value });
    } else if (read && isMeantAsFlow(file, read)) {
      const reason = 'reason' in read ? read.reason : 'it has no list of steps with a type each.';
      broken.push(
        createRejectedSource(file.path, diagnose('flow-invalid', { values: { reason } })),
      );
    } else {
      left.push(file);
    }
  }
  return { found, left, broken };
}

/** By the folder or file name AnythingLLM uses, or by its steps. */
function isMeantAsFlow({ path, bytes }: PackedFile, read: SourceJson): boolean {
  const hasFlowName =
    /(?:^|\/)agent-flows\/[^/]+\.json$/i.test(path) || /(?:^|\/)[0-9a-f-]{36}\.json$/i.test(path);
  if ('reason' in read) {
    return hasFlowName || Buffer.from(bytes).toString('utf8').includes('"steps"');
  }
  const { steps, config } = read.value;
  return hasFlowName || Array.isArray(steps) || (isRecord(config) && Array.isArray(config.steps));
}

/** Large enough for ten thousand steps, so that the error can tell their number. */
function isSmall({ bytes }: PackedFile): boolean {
  return bytes.length <= 8 * maxSourceJsonBytes;
}
