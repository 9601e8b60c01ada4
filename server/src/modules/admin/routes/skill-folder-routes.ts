import {
  type SkillFolderEdit,
  skillFolderEditsApi,
} from '@knowhow/shared/skills/skill-folder-edits';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import type { FolderEdit, FolderEdits } from '../../skills/index.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { checkDraftAccess } from '../skills/skill-scope.ts';

type FolderAdmin = SkillAdmin & {
  folderReview: { edits: Pick<FolderEdits, 'current' | 'discard'> };
};

/** Routes for edits in the folder of skills that are not published. */
export function skillFolderRoutes(router: Router, admin: FolderAdmin): void {
  route(router, skillFolderEditsApi.get, async ({ params: { name }, caller }) => {
    await checkDraftAccess(admin, caller, name);
    const edit = admin.folderReview.edits.current.get(name);
    return { name, ...(edit ? { edit: toFolderEdit(edit) } : {}) };
  });

  route(router, skillFolderEditsApi.remove, async (call) => {
    await checkDraftAccess(admin, call.caller, call.params.name);
    const { name, by, expected } = getChangeContext(call);
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

function toFolderEdit({ checksum, found, isDrafted, isOverwritten }: FolderEdit): SkillFolderEdit {
  return { ...(checksum === undefined ? {} : { checksum }), found, isDrafted, isOverwritten };
}
