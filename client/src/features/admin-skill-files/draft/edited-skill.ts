import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';

type Editable = Pick<AdminSkillDetail, 'name' | 'location' | 'writable' | 'checksum' | 'fileList'>;

/** A skill in the editor: its published files or, if it has a draft, those of the draft. */
export interface EditedSkill extends Editable {
  /** The skill as it is published; undefined for the draft of a new skill. */
  published?: AdminSkillDetail;
  /** The draft whose files these are; its etag is the `checksum`. */
  draft?: SkillDraft;
  /** Whether changes are saved to the draft. Without a draft, the first one begins it. */
  savesDraft?: boolean;
}

/** The published files of a skill. */
export function editPublished(published: AdminSkillDetail): EditedSkill {
  const { name, location, writable, checksum, fileList } = published;
  return { name, location, writable, checksum, fileList, published };
}

/** The skill with the files of its draft. */
export function withDraft(skill: EditedSkill, draft: SkillDraft): EditedSkill {
  return { ...skill, draft, savesDraft: true, fileList: draft.files, checksum: draft.etag };
}

/** The draft of a skill that is not published. */
export function editNewDraft(draft: SkillDraft): EditedSkill {
  const { skill: name, files: fileList, etag: checksum } = draft;
  const location = `local:${name}`;
  return { name, location, writable: true, checksum, fileList, draft, savesDraft: true };
}
