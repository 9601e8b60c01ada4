import { Problem, problem } from '@knowhow/shared/problem';
import {
  maxPersonalSkills,
  mySkillsApi,
  type PersonalSkill,
  type PersonalSkillDetail,
} from '@knowhow/shared/skills/personal-skills';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import type { Router } from 'express';
import type { z } from 'zod';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import {
  type Accounts,
  type Caller,
  getSkillOwner,
  requireSkillOwner,
} from '../../identity/index.ts';
import {
  diagnosePacked,
  editFields,
  judgeNewSkill,
  type PackedFile,
  type PersonalSkills,
  parseSkill,
  readOwnPrompts,
  rewriteSkillFile,
  type SkillShares,
  type StoredPersonalSkill,
  tagFaults,
  withOwnPrompts,
} from '../../skills/index.ts';
import { recordSharing } from '../record-sharing.ts';
import { rejectBlockedFiles } from '../skills/block-skill.ts';
import { checkSkillName, diagnosticsToIssues } from '../skills/new-skill-name.ts';
import { addComment, listComments, removeComment } from '../skills/review-comments.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { checkPaths, saveDraft, submitDraft } from '../skills/skill-drafts.ts';
import { checkCollision, mainFile } from '../skills/skill-edits.ts';
import { withdrawIfOpen, withdrawReview } from '../skills/skill-reviews.ts';

interface Dependencies extends SkillAdmin {
  accounts: Pick<Accounts, 'usernameOf'>;
  personalSkills: PersonalSkills;
  skillShares: Pick<SkillShares, 'of'>;
}

type Shares = Awaited<ReturnType<SkillShares['of']>>;
type Content = z.output<typeof mySkillsApi.put.body>;

/** Skills of the caller. */
export function mySkillRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, personalSkills } = dependencies;

  route(router, mySkillsApi.list, async ({ caller }) => {
    const { personalSkills: level } = caller.permissions;
    const owner = getSkillOwner(caller);
    return {
      items: owner === undefined ? [] : await describeAll(dependencies, caller),
      level: owner === undefined ? 'none' : level,
      max: maxPersonalSkills,
    };
  });

  route(router, mySkillsApi.create, async ({ caller, body, response }) => {
    const owner = requireSkillOwner(caller);
    const { name, ...content } = body;
    checkSkillName(name);
    const files = await writeFiles(dependencies, name, content, []);
    const username = (await accounts.usernameOf(owner)) ?? caller.name;
    const skill = await personalSkills.create(owner, { name, username, files });
    response.status(201);
    return describeWhole(dependencies, caller, skill);
  });

  route(router, mySkillsApi.get, async ({ caller, params }) =>
    describeWhole(
      dependencies,
      caller,
      await personalSkills.get(requireSkillOwner(caller), params.name),
    ),
  );

  route(router, mySkillsApi.put, async (call) => {
    const owner = requireSkillOwner(call.caller);
    const before = await personalSkills.get(owner, call.params.name);
    const { expected = before.checksum } = getChangeContext(call);
    const present = await personalSkills.files(before);
    const files = await writeFiles(dependencies, before.name, call.body, present);
    const skill = await personalSkills.change(owner, before.name, { files, expected });
    return describeWhole(dependencies, call.caller, skill);
  });

  route(router, mySkillsApi.remove, async (call) => {
    const { name, expected, by } = getChangeContext(call);
    const { id, review } = await personalSkills.get(requireSkillOwner(call.caller), name);
    const before = (await dependencies.skillShares.of(by.id)).get(id) ?? [];
    await personalSkills.remove(by.id, name, expected);
    await recordSharing(dependencies, by, { before, after: [] });
    await withdrawIfOpen(dependencies, review, by);
    return { name };
  });

  route(router, mySkillsApi.propose, async (call) => {
    const owner = requireSkillOwner(call.caller);
    if (call.caller.permissions.personalSkills !== 'propose') {
      throw problem('forbidden', 'Your groups do not allow you to propose skills.');
    }
    const skill = await personalSkills.get(owner, call.params.name);
    const review = await propose(dependencies, call.caller, skill, call.body.message);
    try {
      await personalSkills.noteReview(owner, skill.name, review);
    } catch (error) {
      // Deleted meanwhile: its owner could not withdraw the proposal.
      await withdrawIfOpen(dependencies, review, { id: owner, name: call.caller.name });
      throw error;
    }
    return describe(dependencies, call.caller, { ...skill, review });
  });

  route(router, mySkillsApi.withdraw, async ({ caller, params }) => {
    const skill = await personalSkills.get(requireSkillOwner(caller), params.name);
    if (skill.review === undefined) {
      throw notProposed(skill.name);
    }
    await withdrawReview(dependencies, { id: skill.review, caller, comment: undefined });
    return describe(dependencies, caller, skill);
  });

  const ofProposal = async (caller: Caller, name: string) => {
    const { review } = await personalSkills.get(requireSkillOwner(caller), name);
    if (review === undefined) {
      throw notProposed(name);
    }
    return { id: review, by: { id: caller.id, name: caller.name } };
  };

  route(router, mySkillsApi.comments, async ({ caller, params: { name } }) =>
    listComments(dependencies, await ofProposal(caller, name)),
  );

  route(router, mySkillsApi.comment, async ({ caller, params: { name }, body, response }) => {
    const commented = await addComment(dependencies, {
      ...(await ofProposal(caller, name)),
      ...body,
    });
    response.status(201);
    return commented;
  });

  route(router, mySkillsApi.removeComment, async ({ caller, params: { name, comment } }) =>
    removeComment(dependencies, { ...(await ofProposal(caller, name)), comment }),
  );
}

function notProposed(name: string): Problem {
  return problem('not-found', `Your skill "${name}" has not been proposed.`);
}

/** The files with new content. Throws `invalid-skill`, `skill-blocked` and problems of paths. */
async function writeFiles(
  admin: SkillAdmin,
  name: string,
  { description, instructions, translations, prompts, files: others }: Content,
  before: readonly PackedFile[],
): Promise<PackedFile[]> {
  const main = before.find(({ path }) => path === 'SKILL.md')?.bytes ?? new Uint8Array();
  const written = rewriteSkillFile(main, { name, description }, instructions);
  const bytes = Buffer.from(translations ? editTranslations(written, translations) : written);
  const given = [
    { path: 'SKILL.md', bytes, executable: false },
    ...(others?.map(unpack) ?? before.filter(({ path }) => path !== 'SKILL.md')),
  ];
  const files = prompts ? withOwnPrompts(given, prompts) : given;
  checkSkill(admin, name, bytes);
  checkFiles(files);
  await rejectBlockedFiles(admin, files);
  return files;
}

/** Throws `conflict` if `metadata` has no entries, for example because it is a list. */
function editTranslations(written: string, translations: SkillTranslations): string {
  const edited = editFields(Buffer.from(written), { translations });
  if (edited === undefined) {
    throw problem(
      'conflict',
      'The translations cannot be added, because "metadata" in SKILL.md is not a map. Import the skill again without it.',
    );
  }
  return edited;
}

function checkFiles(files: readonly PackedFile[]): void {
  checkPaths(files);
  for (const [at, { path }] of files.entries()) {
    const earlier = files.slice(0, at);
    if (earlier.some((other) => other.path === path)) {
      throw problem(
        'invalid-request',
        `There are two files "${path}". The instructions are the file SKILL.md; name each other file once.`,
        { issues: [{ path: 'files', code: 'duplicate', message: `"${path}" is there twice.` }] },
      );
    }
    checkCollision(path, earlier);
  }
}

function unpack({ path, content, encoding }: NonNullable<Content['files']>[number]): PackedFile {
  return { path, bytes: Buffer.from(content, encoding ?? 'utf8'), executable: false };
}

/** Throws `invalid-skill`, like for a new skill of an administrator. */
function checkSkill({ contents }: SkillAdmin, name: string, bytes: Uint8Array): void {
  const { skill, body } = parseSkill(bytes, name);
  const { diagnostics } = skill;
  const { refusals } = judgeNewSkill(
    { diagnostics, body },
    contents().skills.settings.maxSkillBodyTokens,
  );
  const all = [...refusals, ...diagnostics.filter(({ code }) => tagFaults.has(code))];
  if (all.length > 0) {
    throw problem('invalid-skill', all.map(({ message }) => message).join(' '), {
      issues: diagnosticsToIssues('SKILL.md', all),
    });
  }
}

/**
 * Submits a copy of the files for review. Returns the id of the review. The draft that this needs is discarded, because
 * the review keeps the files. Throws `conflict`, in the same words for every reason that the user must not learn.
 */
async function propose(
  admin: Dependencies,
  caller: Caller,
  skill: StoredPersonalSkill,
  message: string,
): Promise<string> {
  const { name } = skill;
  const files = await admin.personalSkills.files(skill);
  const by = { id: caller.id, name: caller.name };
  // Others decide about a proposal, whatever its category.
  const change = { skill: name, by, scope: 'all' as const };
  try {
    await discardLeftover(admin, caller, skill);
    if (await admin.drafts.get(name)) {
      throw notNow(name);
    }
    const { etag } = await saveDraft(
      admin,
      { ...change, expected: undefined, mustBegin: true },
      files,
    );
    try {
      return (await submitDraft(admin, { ...change, expected: etag }, message)).id;
    } finally {
      await admin.drafts.discard(name, etag);
    }
  } catch (error) {
    const isTold =
      error instanceof Problem &&
      ['invalid-skill', 'skill-blocked', 'too-large'].includes(error.code);
    throw isTold || !(error instanceof Problem) ? error : notNow(name);
  }
}

/** Discards the draft of a proposal that was interrupted before its review existed. */
async function discardLeftover(
  { drafts, reviews }: Dependencies,
  caller: Caller,
  { name, checksum }: StoredPersonalSkill,
): Promise<void> {
  const draft = await drafts.get(name);
  const isOwn = draft?.checksum === checksum && draft.authors.every(({ id }) => id === caller.id);
  if (draft && isOwn && !(await reviews.findOpen(name))) {
    await drafts.discard(name, draft.etag);
  }
}

function notNow(name: string): Problem {
  return problem(
    'conflict',
    `"${name}" cannot be proposed now. Try again later, or write it under another name.`,
  );
}

async function describeAll(dependencies: Dependencies, caller: Caller): Promise<PersonalSkill[]> {
  const skills = await dependencies.personalSkills.list(caller.id);
  const shares = await dependencies.skillShares.of(caller.id);
  return Promise.all(skills.map((skill) => describe(dependencies, caller, skill, shares)));
}

async function describe(
  { reviews, skills, skillShares }: Dependencies,
  { groups }: Caller,
  skill: StoredPersonalSkill,
  known?: Shares,
): Promise<PersonalSkill> {
  const shares = known ?? (await skillShares.of(skill.owner));
  const { id, name, owner, checksum, updated, review } = skill;
  const loaded = skills.getPersonal(owner, groups).find((each) => each.id === id);
  const proposal = review === undefined ? undefined : await reviews.find(review);
  const comment = proposal?.decided?.comment;
  return {
    id,
    name,
    description: loaded?.description ?? '',
    translations: loaded?.translations,
    checksum,
    updated,
    recipients: shares.get(id)?.length ?? 0,
    ...(proposal
      ? {
          proposal: {
            state: proposal.state,
            created: proposal.created,
            ...(comment ? { comment } : {}),
          },
        }
      : {}),
  };
}

async function describeWhole(
  dependencies: Dependencies,
  caller: Caller,
  skill: StoredPersonalSkill,
): Promise<PersonalSkillDetail> {
  const files = await dependencies.personalSkills.files(skill);
  const { skill: parsed, body } = parseSkill(mainFile(files).bytes, skill.name);
  return {
    ...(await describe(dependencies, caller, skill)),
    instructions: body.trim(),
    prompts: readOwnPrompts(files),
    files: files
      .filter(({ path }) => path !== 'SKILL.md')
      .map(({ path, bytes }) => ({ path, size: bytes.length })),
    diagnostics: [...parsed.diagnostics, ...diagnosePacked(skill.name, files)],
  };
}
