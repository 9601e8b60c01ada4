import { posix } from 'node:path';
import type { SkillScope } from '@knowhow/shared/access/admin-rights';
import { problem } from '@knowhow/shared/problem';
import type { VersionChange } from '@knowhow/shared/skills/file-changes';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import type { SkillReview } from '@knowhow/shared/skills/skill-reviews';
import type { Caller } from '../../../platform/http/caller.ts';
import { detectMediaType } from '../../../platform/lib/media-type.ts';
import {
  checkFilePath,
  compareManifests,
  noDraft,
  type PackedFile,
  portableSkill,
  readContent,
  type StoredDraft,
} from '../../skills/index.ts';
import { rejectBlockedFiles } from './block-skill.ts';
import { memoryWriter } from './memory-writer.ts';
import { mergeDraft } from './merge-draft.ts';
import { runChecks } from './publication-checks.ts';
import {
  checkWritable,
  findPublished,
  type PublishedSkill,
  readPublishedManifest,
} from './published-skill.ts';
import { describePolicy, getPublishingPolicy } from './publishing-policy.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import type { FileWriter, SkillEdit } from './skill-edit.ts';
import { checkMain, checkSizes, mainFile } from './skill-edits.ts';
import { skillEntries } from './skill-entries.ts';
import { toReview } from './skill-reviews.ts';
import { checkCategory, filterDrafts } from './skill-scope.ts';

type DraftChange = Change & {
  skill: string;
  /** The categories in which the author may write skills. */
  scope: SkillScope;
};

/** Drafts of skills that do not exist yet, by name, on which a caller has the right. */
export async function listNewDrafts(admin: SkillAdmin, caller: Caller) {
  const { drafts, skills } = admin;
  const known = new Set(skillEntries(skills.snapshot).map(({ name }) => name));
  const all = (await drafts.list()).filter(({ skill }) => !known.has(skill));
  const listed = await filterDrafts(admin, caller, all);
  return listed.map(({ authors, category: _, ...draft }) => ({
    ...draft,
    authors: authors.map(({ name }) => name),
  }));
}

/** The draft of a skill. Throws `not-found` if it has none. */
export async function describeDraft(admin: SkillAdmin, skill: string): Promise<SkillDraft> {
  const { draft, published } = await openDraft(admin, skill);
  return toDraft(admin, draft, published);
}

/** The same with the contents of its files, as portable JSON. */
export async function exportDraft(admin: SkillAdmin, skill: string) {
  const { draft, published } = await openDraft(admin, skill);
  const document = portableSkill(draft.skill, await readFiles(admin, draft));
  return { ...(await toDraft(admin, draft, published)), document };
}

/** The content of a file of a draft. Throws `not-found`. */
export async function readDraftFile(
  admin: SkillAdmin,
  { skill, path }: { skill: string; path: string },
): Promise<Buffer> {
  const { draft } = await openDraft(admin, skill);
  const file = draft.manifest.find((each) => each.path === path);
  const bytes = file && (await admin.versions.content(file));
  if (!bytes) {
    throw problem('not-found', `The draft of skill "${draft.skill}" has no file '${path}'.`);
  }
  return bytes;
}

/** The files of a draft that differ from the published version. */
export async function compareDraft(
  admin: SkillAdmin,
  skill: string,
): Promise<{ from?: number; changes: VersionChange[] }> {
  const { draft, published } = await openDraft(admin, skill);
  const before = await readPublishedManifest(admin, published);
  const changes = await compareManifests(before, draft.manifest, admin.versions);
  return { ...(published.entry ? { from: published.newest } : {}), changes };
}

/**
 * Saves all files of a draft, which may be unfinished. Begins one if there is none.
 *
 * @param change `mustBegin`: not to overwrite one
 */
export async function saveDraft(
  admin: SkillAdmin,
  { skill, by, expected, scope, mustBegin }: DraftChange & { mustBegin: boolean },
  files: readonly PackedFile[],
): Promise<SkillDraft> {
  checkCategory(scope, files);
  const published = await findPublished(admin, skill);
  await checkWritable(admin, published);
  const { newest: base, checksum } = published;
  const saving = { files, by, expected, mustBegin, published: checksum, base };
  return toDraft(admin, await admin.drafts.save(published.name, saving), published);
}

/** Changes a file of a draft. Begins one of a skill that exists if there is none. */
export async function changeDraft(
  admin: SkillAdmin,
  { skill, by, expected, scope }: DraftChange,
  edit: (writer: FileWriter) => SkillEdit,
): Promise<SkillDraft> {
  const published = await findPublished(admin, skill);
  await checkWritable(admin, published);
  const { name, entry, newest: base, checksum } = published;
  const draft = await admin.drafts.get(name);
  if (!draft && !entry) {
    throw noDraft(name);
  }
  const before = draft ? await readFiles(admin, draft) : entry ? await readContent(entry) : [];
  const { files, writer } = memoryWriter(before);
  await edit(writer).write(name, before);
  checkPaths(files());
  checkCategory(scope, files());
  const saving = { files: files(), by, published: checksum, base };
  // Another save since the files were read would be lost.
  const seen = expected ?? draft?.etag ?? checksum;
  return toDraft(admin, await admin.drafts.save(name, { ...saving, expected: seen }), published);
}

/** Deletes a draft. Throws `not-found`, and `conflict` while it is in review. */
export async function discardDraft(
  admin: SkillAdmin,
  { skill, by, expected }: Omit<DraftChange, 'scope'>,
): Promise<{ skill: string }> {
  const { draft } = await openDraft(admin, skill);
  if (await admin.reviews.findOpen(draft.skill)) {
    throw problem(
      'conflict',
      `The draft of skill "${draft.skill}" is in review. Withdraw the review first.`,
    );
  }
  await admin.drafts.discard(draft.skill, expected);
  await admin.audit.record({
    by,
    action: 'draft-discarded',
    kind: 'skill',
    target: draft.skill,
    before: { base: draft.base, digest: draft.digest, files: draft.files },
  });
  return { skill: draft.skill };
}

/**
 * Bases a draft on the newest version: takes the files that changed only there. Throws `conflict`
 * with the paths that changed in both, unless one side is preferred.
 */
export async function rebaseDraft(
  admin: SkillAdmin,
  { skill, by, expected, scope }: DraftChange,
  prefer: 'draft' | 'published' | undefined,
): Promise<SkillDraft> {
  const { draft, published } = await openDraft(admin, skill);
  const { name, entry, newest: base, checksum } = published;
  if (draft.base === base) {
    return toDraft(admin, draft, published);
  }
  const ours = await readFiles(admin, draft);
  const merged = entry
    ? mergeDraft({
        // Without its base, every difference is a conflict.
        base:
          draft.base === undefined ? [] : ((await admin.versions.manifest(name, draft.base)) ?? []),
        ours: { manifest: draft.manifest, files: ours },
        theirs: {
          manifest: await readPublishedManifest(admin, published),
          files: await readContent(entry),
        },
        prefer,
      })
    : ours;
  checkFiles(admin, merged);
  checkCategory(scope, merged);
  const saving = { files: merged, by, published: checksum, base, isRebased: true };
  const saved = await admin.drafts.save(name, { ...saving, expected: expected ?? draft.etag });
  return toDraft(admin, saved, published);
}

/** Submits a draft for review. Its files are checked like those of a published skill. */
export async function submitDraft(
  admin: SkillAdmin,
  { skill, by, expected, scope }: DraftChange,
  message: string,
): Promise<SkillReview> {
  const { draft, published } = await openDraft(admin, skill);
  await checkWritable(admin, published);
  const { name, entry, newest, checksum } = published;
  if (draft.base !== newest) {
    throw problem(
      'conflict',
      `Skill "${name}" was changed since this draft was begun. Update the draft to the published version, then submit it.`,
    );
  }
  if (draft.checksum === checksum) {
    throw problem('conflict', `The draft of skill "${name}" has no changes. Change a file first.`);
  }
  const files = await readFiles(admin, draft);
  checkMain(entry ? await readContent(entry) : [], mainFile(files).bytes, name);
  checkCategory(scope, files);
  await rejectBlockedFiles(admin, files);
  const review = await admin.reviews.submit(name, { by, message, etag: expected ?? draft.etag });
  await admin.audit.record({
    by,
    action: 'review-submitted',
    kind: 'skill',
    target: name,
    after: { review: review.id, base: review.base, digest: review.digest, message },
  });
  return toReview(review);
}

async function openDraft(
  admin: SkillAdmin,
  skill: string,
): Promise<{ draft: StoredDraft; published: PublishedSkill }> {
  const published = await findPublished(admin, skill);
  const draft = await admin.drafts.get(published.name);
  if (!draft) {
    throw noDraft(published.name);
  }
  return { draft, published };
}

async function toDraft(
  admin: SkillAdmin,
  draft: StoredDraft,
  published: PublishedSkill,
): Promise<SkillDraft> {
  const { drafts, reviews, versions } = admin;
  const { entry, newest } = published;
  const { skill, etag, base, updated, updatedBy, authors, category, manifest } = draft;
  const before = () => readPublishedManifest(admin, published);
  const [review, [returned], sizes, heads, checks] = await Promise.all([
    reviews.findOpen(skill),
    reviews.listReturned({ skill }),
    versions.sizes(manifest),
    drafts.heads(manifest),
    runChecks(admin, { ...draft, published: before }),
  ]);
  const files = manifest.map(({ path, executable, digest }) => ({
    path,
    size: sizes.get(digest) ?? 0,
    executable,
    kind: detectMediaType(path, heads.get(digest) ?? new Uint8Array()).kind,
  }));
  const isMain = ({ path }: { path: string }) => Number(path === 'SKILL.md');
  return {
    skill,
    etag,
    ...(base === undefined ? {} : { base }),
    ...(entry && newest !== undefined ? { published: newest } : {}),
    isOutdated: base !== newest,
    authors: authors.map(({ name }) => name),
    updated,
    updatedBy,
    files: files.sort((one, other) => isMain(other) - isMain(one)),
    ...(category === undefined ? {} : { category }),
    policy: describePolicy(getPublishingPolicy(admin, skill, category)),
    ...(checks ? { checks } : {}),
    ...(returned
      ? {
          returned: {
            ...{ id: returned.id, by: returned.by, at: returned.at, comment: returned.comment },
          },
        }
      : {}),
    ...(review
      ? {
          review: {
            id: review.id,
            author: review.author.name,
            created: review.created,
            isChanged: review.checksum !== draft.checksum,
          },
        }
      : {}),
  };
}

async function readFiles(
  { drafts }: SkillAdmin,
  { skill, manifest }: StoredDraft,
): Promise<PackedFile[]> {
  const files = await drafts.files(manifest);
  if (!files) {
    throw problem(
      'conflict',
      `The draft of skill "${skill}" is not completely stored. Discard it, then begin again.`,
    );
  }
  return files;
}

/** Throws a problem for files that could not be the folder of a skill: their paths, number or sizes. */
export function checkFiles(
  { sizeLimits }: Pick<SkillAdmin, 'sizeLimits'>,
  files: readonly PackedFile[],
): void {
  checkPaths(files);
  const added: PackedFile[] = [];
  for (const file of files) {
    checkSizes(added, file, sizeLimits);
    added.push(file);
  }
}

/** Throws a problem for files that could not be written to the folder of a skill. */
export function checkPaths(files: readonly PackedFile[]): void {
  const paths = new Set(files.map(({ path }) => path));
  for (const path of paths) {
    checkFilePath(path);
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      if (paths.has(above)) {
        throw problem('conflict', `"${above}" is a file, and a folder of "${path}". Rename one.`);
      }
    }
  }
}
