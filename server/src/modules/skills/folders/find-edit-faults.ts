import type { ContentIssue } from '@knowhow/shared/config/health';
import type { FolderEdits } from './folder-edits.ts';
import type { DuplicateFolder } from './published-source.ts';

/**
 * Faults for edits that are not published.
 *
 * @param switching why the review could not be switched
 * @param duplicates folders that are not compared
 */
export function findEditFaults(
  { current, refused }: FolderEdits,
  switching: string | undefined,
  duplicates: readonly DuplicateFolder[],
): ContentIssue[] {
  const waiting = [...current.values()].map(({ name, manifest, isDrafted, isOverwritten }) => {
    const where = `The folder of skill "${name}"`;
    const what = manifest
      ? 'holds changes that are not published'
      : 'was removed, but the skill is still published';
    const draft = isDrafted
      ? 'Review the draft of the skill'
      : 'Publish or discard its other draft';
    const next = manifest
      ? `${draft}, or discard the edit on its page.`
      : 'Restore the folder or delete the skill on its page.';
    return {
      path: `contents/skills/${name}`,
      message: isOverwritten
        ? `An edit of the folder of skill "${name}" waits for another draft. Publish or discard that draft first.`
        : `${where} ${what}. ${next}`,
      isUsed: true,
    };
  });
  const unkept = [...refused].map(([name, reason]) => ({
    path: `contents/skills/${name}`,
    message: `The folder of skill "${name}" holds changes that are not published, and they cannot become a draft: ${reason}`,
    isUsed: true,
  }));
  const failed = switching
    ? [{ path: 'contents/config/skills.json', message: switching, isUsed: true }]
    : [];
  const ignored = duplicates.map(({ path, used }) => ({
    path: `contents/skills/${path}`,
    message: `This folder is not read: folder "${used}" has a skill of the same name. Rename or remove one of them.`,
    isUsed: true,
  }));
  return [...failed, ...waiting, ...unkept, ...ignored];
}
