import { configurableChecks } from '@knowhow/shared/skills/check-settings';
import {
  type CheckResult,
  maxFindings,
  type PublicationCheck,
} from '@knowhow/shared/skills/publication-checks';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import {
  createMessage,
  findBlockedContent,
  findMain,
  getBlock,
  locateManifest,
  type ManifestFile,
  type PackedFile,
  parseSkill,
  type SkillVersions,
  toolFile,
} from '../../skills/index.ts';
import { isScript } from '../../tools/index.ts';
import { findWorseTriggers } from './check-triggers.ts';
import { estimateSkillTokens } from './describe-skill.ts';
import { diagnoseNeeds } from './diagnose-needs.ts';
import { diagnoseRuntimes } from './diagnose-runtimes.ts';
import { getPublishingPolicy } from './publishing-policy.ts';
import type { SkillAdmin } from './skill-admin.ts';

export type Finding = CheckResult['findings'][number];

/** Files that may be published. */
export interface CheckedFiles {
  /** The name of the skill. */
  skill: string;
  manifest: readonly ManifestFile[];
  checksum: string;
  /** Reads the files of the published version; none for a new skill. */
  published: () => Promise<readonly ManifestFile[]>;
  /** The contents, unless they are stored. */
  packed?: readonly PackedFile[];
  /** Names of skills in the same import. */
  together?: ReadonlySet<string>;
  /** Whether they are a version that was published before: its trigger tests are not repeated. */
  isVersion?: true;
}

/** Runs all checks that are not off. Undefined if the files are not completely stored. */
export async function runChecks(
  admin: SkillAdmin,
  files: CheckedFiles,
): Promise<CheckResult[] | undefined> {
  const found = await findForLevels(admin, files, ['advisory', 'required']);
  return (
    found && [
      toResult('blocked', 'required', findBlocked(admin, files)),
      ...found.map(({ id, level, findings }) => toResult(id, level, findings)),
    ]
  );
}

type ConfigurableCheck = (typeof configurableChecks)[number];

/** The findings of a check. */
interface Found {
  id: ConfigurableCheck;
  level: CheckResult['level'];
  findings: Finding[];
}

/** The findings of the checks with one of these levels. Undefined if the files are not completely stored. */
export async function findForLevels(
  admin: SkillAdmin,
  files: CheckedFiles,
  wanted: readonly CheckResult['level'][],
): Promise<Found[] | undefined> {
  const opened = await openFiles(admin, files);
  if (!opened) {
    return undefined;
  }
  const levels = getPublishingPolicy(admin, files.skill, opened.skill.category).checks;
  const chosen = configurableChecks.flatMap((id) => {
    const level = levels[id];
    return level !== 'off' && wanted.includes(level) ? [{ id, level }] : [];
  });
  const findings = await findAll(admin, files, opened, new Set(chosen.map(({ id }) => id)));
  return chosen.map((each) => ({ ...each, findings: findings[each.id] }));
}

/** The location of the files, and their `SKILL.md`. Undefined if they are not completely stored. */
async function openFiles(admin: SkillAdmin, { skill, manifest, packed }: CheckedFiles) {
  const stored = packed ? storeInMemory(manifest, packed) : admin.versions;
  const location = await locateManifest(stored, skill, manifest);
  const main = findMain(manifest);
  const bytes = main && (await stored.content(main));
  return location && bytes ? { location, ...parseSkill(bytes, slug(skill)) } : undefined;
}

type OpenedFiles = NonNullable<Awaited<ReturnType<typeof openFiles>>>;

async function findAll(
  admin: SkillAdmin,
  files: CheckedFiles,
  { location, skill, body }: OpenedFiles,
  wanted: ReadonlySet<ConfigurableCheck>,
): Promise<Record<ConfigurableCheck, Finding[]>> {
  const { skill: name, manifest, published, together, isVersion } = files;
  const { skills, contents, scripts } = admin;
  // The other checks do not need to read all files.
  const ofFiles =
    wanted.has('secrets') || wanted.has('links') ? await skills.diagnose(location) : [];
  const ofSkill = skill.diagnostics;
  const needs = [
    ...diagnoseNeeds({ ...skill, name }, admin, together),
    ...diagnoseRuntimes(skill, scripts),
  ];
  const tokens = estimateSkillTokens(skill, body).body;
  const most = contents().skills.settings.maxSkillBodyTokens;
  const withCode = (codes: readonly string[]) =>
    [...ofSkill, ...ofFiles].filter(({ code }) => codes.includes(code)).map(toFinding);
  return {
    diagnostics: ofSkill.filter(({ severity }) => severity === 'error').map(toFinding),
    secrets: withCode(['hidden-characters', 'looks-like-secret', 'files-not-inspected']),
    scripts: wanted.has('scripts') ? findNewCode(manifest, await published()) : [],
    dependencies: needs.map(toFinding),
    links: withCode(['file-missing', 'module-outside']),
    triggers:
      wanted.has('triggers') && !isVersion
        ? await findWorseTriggers(admin, files, { location, skill }, await published())
        : [],
    size: tokens > most ? [say('body-tokens', { tokens, most }, mainPath)] : [],
  };
}

/** Files in memory, in the form of stored ones. */
function storeInMemory(
  manifest: readonly ManifestFile[],
  packed: readonly PackedFile[],
): Pick<SkillVersions, 'sizes' | 'content'> {
  const byPath = new Map(packed.map(({ path, bytes }) => [path, bytes]));
  const sizes = manifest.map(
    ({ path, digest }) => [digest, byPath.get(path)?.length ?? 0] as const,
  );
  return {
    sizes: async () => new Map(sizes),
    content: async ({ path }) => {
      const bytes = byPath.get(path);
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
  };
}

const mainPath = 'SKILL.md';

/** Scripts and tools that are new or changed. */
function findNewCode(
  manifest: readonly ManifestFile[],
  published: readonly ManifestFile[],
): Finding[] {
  const before = new Map(published.map((file) => [file.path, file]));
  return manifest
    .filter(({ path }) => path === toolFile || isScript(path))
    .filter(({ path, digest, executable }) => {
      const old = before.get(path);
      return old?.digest !== digest || old.executable !== executable;
    })
    .map(({ path }) => say(before.has(path) ? 'code-changed' : 'code-new', undefined, path));
}

export function findBlocked(
  { contents }: Pick<SkillAdmin, 'contents'>,
  { checksum }: Pick<CheckedFiles, 'checksum'>,
): Finding[] {
  const config = contents().skills;
  const name = findBlockedContent(checksum, config);
  return name === undefined
    ? []
    : [say('content-blocked', { name, reason: getBlock(name, config)?.reason ?? '' })];
}

function say(
  text: Parameters<typeof createMessage>[0],
  values?: Parameters<typeof createMessage>[1],
  path?: string,
): Finding {
  return { code: text, ...createMessage(text, values), ...(path === undefined ? {} : { path }) };
}

/** Messages of diagnostics begin with the file if it is not `SKILL.md`. */
function toFinding({ code, message, text, values, file, line }: Diagnostic): Finding {
  const path = file ?? (line === undefined ? undefined : mainPath);
  return {
    code,
    message: file === undefined ? message : message.slice(`${file}: `.length),
    ...(text === undefined ? {} : { text }),
    ...(values ? { values } : {}),
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
  };
}

/** Names in a message, which may be long. */
const maxLength = 500;

/** The result of a check with the first findings; the rest is counted. */
export function toResult(
  id: PublicationCheck,
  level: CheckResult['level'],
  found: readonly Finding[],
): CheckResult {
  // The frontmatter and the whole file may have the same finding.
  const listed = [
    ...new Map(found.map((each) => [`${each.path}\0${each.line}\0${each.message}`, each])).values(),
  ];
  return {
    id,
    level,
    passed: listed.length === 0,
    findings: listed.slice(0, maxFindings).map(shorten),
    more: listed.slice(maxFindings).reduce((sum, finding) => sum + countFindings(finding), 0),
  };
}

/** How many findings it is: one that says how many more there are counts as those. */
function countFindings({ text, values }: Finding): number {
  return text?.startsWith('files-more') ? Number(values?.more) : 1;
}

function shorten({ message, values, ...finding }: Finding): Finding {
  const cut = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
  const entries = Object.entries(values ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? cut(value) : value,
  ]);
  return {
    ...finding,
    message: cut(message),
    ...(values ? { values: Object.fromEntries(entries) } : {}),
  };
}
