import { type Problem, problem } from '@knowhow/shared/problem';
import { configurableChecks } from '@knowhow/shared/skills/check-settings';
import {
  type CheckOverride,
  type CheckResult,
  failedRequired,
  maxFindings,
  type PublicationCheck,
} from '@knowhow/shared/skills/publication-checks';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import {
  createMessage,
  findBlockedContent,
  getBlock,
  locateManifest,
  type ManifestFile,
  parseSkill,
  toolFile,
} from '../../skills/index.ts';
import { isScript } from '../../tools/index.ts';
import { estimateSkillTokens } from './describe-skill.ts';
import { diagnoseNeeds } from './diagnose-needs.ts';
import { diagnoseRuntimes } from './diagnose-runtimes.ts';
import { getPublishingPolicy } from './publishing-policy.ts';
import type { SkillAdmin } from './skill-admin.ts';

type Finding = CheckResult['findings'][number];

/** Files that may be published. */
interface CheckedFiles {
  /** The name of the skill. */
  skill: string;
  manifest: readonly ManifestFile[];
  checksum: string;
  /** The files of the published version; none for a new skill. */
  published: readonly ManifestFile[];
}

/** Runs all checks that are not off. Undefined if the files are not completely stored. */
export async function runChecks(
  admin: SkillAdmin,
  files: CheckedFiles,
): Promise<CheckResult[] | undefined> {
  const findings = await findAll(admin, files);
  if (!findings) {
    return undefined;
  }
  const levels = getPublishingPolicy(admin).checks;
  const results = configurableChecks.flatMap((id) => {
    const level = levels[id];
    return level === 'off' ? [] : [toResult(id, level, findings[id])];
  });
  return [toResult('blocked', 'required', findBlocked(admin, files)), ...results];
}

/**
 * Runs the checks before publication. Returns the override of the required ones that fail; undefined if
 * all pass. Throws `check-failed` without a reason, `forbidden` without the right to publish, and
 * `conflict` if the files are not completely stored.
 */
export async function checkPublication(
  admin: SkillAdmin,
  files: CheckedFiles,
  { reason, isPublisher }: { reason: string | undefined; isPublisher: boolean },
): Promise<CheckOverride | undefined> {
  const results = await runChecks(admin, files);
  if (!results) {
    throw problem('conflict', 'These files are not completely stored. Submit a new draft.');
  }
  const failed = failedRequired(results);
  if (failed.length === 0) {
    return undefined;
  }
  if (reason === undefined) {
    throw checkFailed(failed);
  }
  if (!isPublisher) {
    throw problem(
      'forbidden',
      'Only administrators with the right "publish" override a failed check. Ask one of them, or fix the draft.',
    );
  }
  return { reason, checks: failed.map(({ id }) => id) };
}

function checkFailed(failed: readonly CheckResult[]): Problem {
  const names = failed.map(({ id }) => id).join(', ');
  const issues = failed.flatMap(({ id, findings }) =>
    findings.map(({ path, message }) => ({
      path: path ?? '',
      code: id,
      message: path === undefined ? message : `${path}: ${message}`,
    })),
  );
  return problem(
    'check-failed',
    `Required checks fail: ${names}. Fix the draft and submit it again, or publish it with "override": {"reason": "…"}.`,
    { issues: issues.slice(0, maxFindings) },
  );
}

type ConfigurableFindings = Record<(typeof configurableChecks)[number], Finding[]>;

async function findAll(
  admin: SkillAdmin,
  { skill: name, manifest, published }: CheckedFiles,
): Promise<ConfigurableFindings | undefined> {
  const { versions, skills, contents, scripts } = admin;
  const location = await locateManifest(versions, name, manifest);
  const main = manifest.find(({ path }) => path.toLowerCase() === mainPath.toLowerCase());
  const bytes = main && (await versions.content(main));
  if (!location || !bytes) {
    return undefined;
  }
  const ofFiles = await skills.diagnose(location);
  const { skill, body } = parseSkill(bytes, slug(name));
  const ofSkill = skill.diagnostics;
  const needs = [...diagnoseNeeds({ ...skill, name }, admin), ...diagnoseRuntimes(skill, scripts)];
  const tokens = estimateSkillTokens(skill, body).body;
  const most = contents().skills.settings.maxSkillBodyTokens;
  const withCode = (codes: readonly string[]) =>
    [...ofSkill, ...ofFiles].filter(({ code }) => codes.includes(code)).map(toFinding);
  return {
    diagnostics: ofSkill.filter(({ severity }) => severity === 'error').map(toFinding),
    secrets: withCode(['hidden-characters', 'looks-like-secret', 'files-not-inspected']),
    scripts: findNewCode(manifest, published),
    dependencies: needs.map(toFinding),
    links: withCode(['file-missing', 'module-outside']),
    size: tokens > most ? [say('body-tokens', { tokens, most }, mainPath)] : [],
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

function findBlocked({ contents }: SkillAdmin, { checksum }: CheckedFiles): Finding[] {
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

function toResult(
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
    more: Math.max(0, listed.length - maxFindings),
  };
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
