import { createSkillWriter, type SkillVersions, type SkillWriter } from './modules/skills/index.ts';
import { type FolderReview, openFolderReview } from './open-folder-review.ts';
import { openVersions } from './open-versions.ts';
import type { Log } from './platform/lib/log.ts';
import { logFailure } from './platform/lib/log-failure.ts';

type ReviewOptions = Omit<Parameters<typeof openFolderReview>[0], 'versions' | 'writer'> & {
  /** The folder of local skills. */
  directory: () => string;
  writeFiles: SkillWriter['exclusive'];
};

/** Opens versions, and the review of folders, which depend on each other. */
export async function openReviewed({ directory, writeFiles, ...options }: ReviewOptions) {
  const stored = openVersions({
    ...options,
    skills: options.store,
    onNewest: (skill) => review.refresh(skill),
  });
  const writer = createSkillWriter({ ...options, directory, writeFiles });
  const review: FolderReview = await openFolderReview({
    ...options,
    writer,
    versions: stored.versions,
  });
  return { stored, review };
}

/** With a review of folders, what is not recorded is not published: the caller learns of a failure. */
export function recordOrLog({
  review,
  versions,
  log,
}: {
  review: FolderReview;
  versions: SkillVersions;
  log: Log;
}): Pick<SkillVersions, 'record' | 'recordAll'> {
  const message = 'recording a skill version failed';
  const record = logFailure(versions.record, log, message);
  const recordAll = logFailure(versions.recordAll, log, message);
  return {
    record: (...given) => (review.isOn ? versions.record(...given) : record(...given)),
    recordAll: (...given) => (review.isOn ? versions.recordAll(...given) : recordAll(...given)),
  };
}
