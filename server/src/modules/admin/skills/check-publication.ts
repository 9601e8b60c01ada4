import { type Problem, problem } from '@knowhow/shared/problem';
import {
  type CheckOverride,
  type CheckResult,
  failedRequired,
  maxFindings,
  type PublicationCheck,
} from '@knowhow/shared/skills/publication-checks';
import {
  describeFiles,
  findBlockedContent,
  isSkillFile,
  type ManifestFile,
  type PackedFile,
} from '../../skills/index.ts';
import { blockedProblem } from './block-skill.ts';
import {
  type CheckedFiles,
  type Finding,
  findBlocked,
  findForLevels,
  runChecks,
  toResult,
} from './publication-checks.ts';
import type { SkillAdmin } from './skill-admin.ts';

/** The publisher, and the reason why failed required checks do not stop the publication. */
export interface Publisher {
  reason: string | undefined;
  /** Whether they hold the right to publish. */
  isPublisher: boolean;
}

/**
 * Runs the checks before a review is approved. Returns the override of the required ones that fail; undefined if
 * all pass. Throws `check-failed` without a reason, `forbidden` without the right to publish, and
 * `conflict` if the files are not completely stored.
 */
export async function checkReviewed(
  admin: SkillAdmin,
  files: CheckedFiles,
  publisher: Publisher,
): Promise<CheckOverride | undefined> {
  const results = await runChecks(admin, files);
  if (!results) {
    throw notStored('Submit a new draft.');
  }
  return overrideChecks(failedRequired(results), publisher, {
    fix: 'Fix the draft and submit it again',
    override: 'publish it with "override": {"reason": "…"}',
  });
}

/**
 * Runs the required checks before a stored version is offered to users, with the same results as
 * `checkReviewed`. Throws `skill-blocked` for the files of another skill that is blocked.
 */
export async function checkVersion(
  admin: SkillAdmin,
  files: CheckedFiles,
  publisher: Publisher & { override: string },
): Promise<CheckOverride | undefined> {
  rejectOthersBlock(admin, files);
  if (!files.manifest.some(isSkillFile)) {
    // Such a folder is offered to no one.
    return undefined;
  }
  const found = await findForLevels(admin, { ...files, isVersion: true }, ['required']);
  if (!found) {
    throw notStored('Choose another version.');
  }
  return overrideChecks(toFailed(found), publisher, {
    fix: 'Choose another version',
    override: publisher.override,
  });
}

/** Files that are written without a review. */
export interface DirectWrite extends Pick<CheckedFiles, 'skill' | 'together'> {
  files: readonly PackedFile[];
  /** The files that they replace; undefined for a new skill. */
  before: readonly PackedFile[] | undefined;
}

/** Runs the required checks before files are written without a review; see `findNewFailures`. */
export async function checkWrite(
  admin: SkillAdmin,
  write: DirectWrite,
  publisher: Publisher,
): Promise<CheckOverride | undefined> {
  return overrideChecks(await findNewFailures(admin, write), publisher, writing);
}

/**
 * The same for all skills of an import together: one that fails refuses all. Returns the overrides by the name of
 * the skill.
 */
export async function checkWrites(
  admin: SkillAdmin,
  writes: AsyncIterable<DirectWrite>,
  publisher: Publisher,
): Promise<Map<string, CheckOverride>> {
  const failures: { skill: string; failed: CheckResult[] }[] = [];
  for await (const write of writes) {
    const failed = await findNewFailures(admin, write);
    if (failed.length > 0) {
      failures.push({ skill: write.skill, failed });
    }
  }
  overrideChecks(failures.flatMap(inSkill), publisher, importing);
  return new Map(
    failures.flatMap(({ skill, failed }) => {
      const override = overrideChecks(failed, publisher, importing);
      return override ? [[skill, override] as const] : [];
    }),
  );
}

/** Failed checks whose findings name the skill. */
function inSkill({ skill, failed }: { skill: string; failed: CheckResult[] }): CheckResult[] {
  return failed.map(({ findings, ...check }) => ({
    ...check,
    findings: findings.map((finding) => ({ ...finding, path: `${skill}/${finding.path ?? ''}` })),
  }));
}

const importing = {
  fix: 'Leave these skills out, or fix their files',
  override: 'import them with an override and a reason',
};

/** The next steps where files are written without a review. */
const writing = {
  fix: 'Fix what they find, or save a draft (/api/skill-drafts), so that a reviewer decides',
  override: 'repeat it with ?override= and a reason',
};

/**
 * Required checks with findings that the replaced files do not have: a skill that failed a check before can
 * be fixed in several steps, but no step adds a finding. Throws `skill-blocked` for the files of another
 * skill that is blocked.
 */
export async function findNewFailures(
  admin: SkillAdmin,
  { skill, files, before, together }: DirectWrite,
): Promise<CheckResult[]> {
  const describe = async (packed: readonly PackedFile[]) => ({
    skill,
    packed,
    together,
    ...(await describeFiles(packed)),
  });
  const after = await describe(files);
  rejectOthersBlock(admin, after);
  let published: readonly ManifestFile[] | undefined;
  const readPublished = async () => {
    published ??= before ? (await describeFiles(before)).manifest : [];
    return published;
  };
  const checked = { ...after, published: readPublished };
  const found = (await findForLevels(admin, checked, ['required'])) ?? [];
  if (!before || found.every(({ findings }) => findings.length === 0)) {
    return toFailed(found);
  }
  const replaced = await describe(before);
  const old = await findForLevels(admin, { ...replaced, published: readPublished }, ['required']);
  return toFailed(
    found.map((each) => {
      const known = old?.find(({ id }) => id === each.id)?.findings ?? [];
      return {
        ...each,
        findings: withoutKnown(each.id, [each.findings, after], [known, replaced]),
      };
    }),
  );
}

type FindingsOf = [findings: readonly Finding[], files: Pick<CheckedFiles, 'manifest'>];

/** The findings that are new, or weigh more than before. */
function withoutKnown(check: PublicationCheck, now: FindingsOf, before: FindingsOf): Finding[] {
  const [after, known] = [weigh(check, now), weigh(check, before)];
  return now[0].filter((finding) => {
    const key = identify(check, finding, now[1]);
    return (after.get(key) ?? 0) > (known.get(key) ?? 0);
  });
}

/**
 * The checks that would stop a write, for a report about it: a block is one of them.
 *
 * @param isSame whether the write changes nothing, so that no other check can fail
 */
export async function reportFailures(
  admin: SkillAdmin,
  write: DirectWrite,
  isSame: boolean,
): Promise<CheckResult[]> {
  const { checksum } = await describeFiles(write.files);
  const blocked = findBlocked(admin, { checksum });
  if (blocked.length > 0) {
    return [toResult('blocked', 'required', blocked)];
  }
  return isSame ? [] : findNewFailures(admin, write);
}

/** How much each finding weighs, in occurrences or tokens. */
function weigh(check: PublicationCheck, [findings, files]: FindingsOf): Map<string, number> {
  const weights = new Map<string, number>();
  for (const finding of findings) {
    const { tokens, number, more, skipped } = finding.values ?? {};
    const key = identify(check, finding, files);
    const weight = Number(tokens ?? number ?? more ?? skipped ?? 1);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  return weights;
}

/**
 * Identifies a finding wherever in its file it is. A possible secret is identified by the content of its file, too: its
 * first characters are those of others.
 */
function identify(
  check: PublicationCheck,
  { path, code, values = {} }: Finding,
  { manifest }: Pick<CheckedFiles, 'manifest'>,
): string {
  const names = Object.values(values).filter((value) => typeof value === 'string');
  const file = check === 'secrets' ? manifest.find((each) => each.path === path) : undefined;
  return JSON.stringify([path, code, file?.digest, ...names]);
}

type Found = Awaited<ReturnType<typeof findForLevels>>;

function toFailed(found: NonNullable<Found>): CheckResult[] {
  return failedRequired(found.map(({ id, level, findings }) => toResult(id, level, findings)));
}

function rejectOthersBlock(
  { contents }: SkillAdmin,
  { skill, checksum }: Pick<CheckedFiles, 'skill' | 'checksum'>,
): void {
  const config = contents().skills;
  const blocked = findBlockedContent(checksum, config);
  if (blocked !== undefined && blocked !== skill) {
    throw blockedProblem(blocked, config);
  }
}

/** Remedies for failed checks: sentences without their end. */
interface NextSteps {
  fix: string;
  override: string;
}

/** Throws unless no check fails, or a publisher has a reason. */
function overrideChecks(
  failed: readonly CheckResult[],
  { reason, isPublisher }: Publisher,
  next: NextSteps,
): CheckOverride | undefined {
  if (failed.length === 0) {
    return undefined;
  }
  if (reason === undefined) {
    throw checkFailed(failed, next);
  }
  if (!isPublisher) {
    throw problem(
      'forbidden',
      'Only administrators with the right "publish" override a failed check. Ask one of them, or fix what it finds.',
    );
  }
  return { reason, checks: failed.map(({ id }) => id) };
}

function checkFailed(failed: readonly CheckResult[], { fix, override }: NextSteps): Problem {
  const names = [...new Set(failed.map(({ id }) => id))].join(', ');
  const issues = failed.flatMap(({ id, findings }) =>
    findings.map(({ path, message }) => ({
      path: path ?? '',
      code: id,
      message: path === undefined ? message : `${path}: ${message}`,
    })),
  );
  return problem('check-failed', `Required checks fail: ${names}. ${fix}, or ${override}.`, {
    issues: issues.slice(0, maxFindings),
  });
}

function notStored(next: string): Problem {
  return problem('conflict', `These files are not completely stored. ${next}`);
}
