import type { ContentIssue } from '@knowhow/shared/config/health';
import type { FolderEdits } from './folder-edits.ts';

/** What an administrator should know about edits that are not published. */
export function findEditFaults({ current, refused }: FolderEdits): ContentIssue[] {
  const waiting = [...current.values()].map(({ name, manifest, isDrafted, isOverwritten }) => {
    const where = `The folder of skill "${name}"`;
    const what = manifest
      ? 'holds changes that are not published'
      : 'was removed, but not the skill';
    const draft = isDrafted
      ? 'Review the draft of the skill'
      : 'Publish or discard its other draft';
    const next = manifest
      ? `${draft}, or discard the edit on its page.`
      : 'Put it back, or delete the skill, on its page.';
    return {
      path: `contents/skills/${name}`,
      message: isOverwritten
        ? `An edit of the folder of skill "${name}" waits for the draft. Publish or discard that first.`
        : `${where} ${what}. ${next}`,
      isUsed: true,
    };
  });
  const unkept = [...refused].map(([name, reason]) => ({
    path: `contents/skills/${name}`,
    message: `The folder of skill "${name}" holds changes that are not published, and they cannot become a draft: ${reason}`,
    isUsed: true,
  }));
  return [...waiting, ...unkept];
}
