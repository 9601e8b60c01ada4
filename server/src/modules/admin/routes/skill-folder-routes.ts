import { problem } from '@knowhow/shared/problem';
import {
  type SkillFolderEdit,
  skillFolderEditsApi,
} from '@knowhow/shared/skills/skill-folder-edits';
import type { Router } from 'express';
import type { Caller } from '../../../platform/http/caller.ts';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import type { FolderEdit, FolderEdits } from '../../skills/index.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { checkDraftAccess, mayWriteAs } from '../skills/skill-scope.ts';

type FolderAdmin = SkillAdmin & {
  folderReview: { edits: Pick<FolderEdits, 'current' | 'discard'> };
};

/** Routes for edits in the folder of skills that are not published. */
export function skillFolderRoutes(router: Router, admin: FolderAdmin): void {
  route(router, skillFolderEditsApi.get, async ({ params: { name }, caller }) => {
    await checkDraftAccess(admin, caller, name);
    const edit = await findEdit(admin, caller, name);
    const draft = edit && (await admin.drafts.get(name));
    return { name, ...(edit ? { edit: toFolderEdit(edit, draft !== undefined) } : {}) };
  });

  route(router, skillFolderEditsApi.remove, async (call) => {
    const { name, by, expected } = getChangeContext(call);
    await checkDraftAccess(admin, call.caller, name);
    const { current } = admin.folderReview.edits;
    if (!(await mayWriteAs(admin, call.caller, name, current.get(name)?.category))) {
      throw problem('not-found', `The folder of skill "${name}" holds what is published.`);
    }
    const { checksum } = await admin.folderReview.edits.discard(name, expected);
    await admin.audit.record({
      by,
      action: 'folder-edit-discarded',
      kind: 'skill',
      target: name,
      before: { checksum },
    });
    return { name };
  });
}

/** The edit of a folder, if the caller may see it. A new skill belongs to the authors of its category. */
async function findEdit(
  admin: FolderAdmin,
  caller: Caller,
  name: string,
): Promise<FolderEdit | undefined> {
  const edit = admin.folderReview.edits.current.get(name);
  return edit && (await mayWriteAs(admin, caller, name, edit.category)) ? edit : undefined;
}

function toFolderEdit(
  { checksum, found, isDrafted, isOverwritten }: FolderEdit,
  hasDraft: boolean,
): SkillFolderEdit {
  return {
    ...(checksum === undefined ? {} : { checksum }),
    found,
    // Someone may have discarded the draft.
    isDrafted: isDrafted && hasDraft,
    isOverwritten,
  };
}
