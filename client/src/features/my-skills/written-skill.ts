import type { ConversationSkill } from '@knowhow/shared/skills/conversation-skill';
import type { PersonalSkillDetail } from '@knowhow/shared/skills/personal-skills';

/** A skill as it is being written. */
export type WrittenSkill = Pick<
  PersonalSkillDetail,
  'name' | 'description' | 'instructions' | 'translations'
> &
  Partial<Pick<ConversationSkill, 'prompts' | 'private'>>;
