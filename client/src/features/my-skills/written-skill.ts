import { conversationSkillSchema } from '@knowhow/shared/skills/conversation-skill';
import { skillTranslationsSchema } from '@knowhow/shared/skills/skill-translations';
import { z } from 'zod';

/** A skill as it is being written. */
export const writtenSkillSchema = z.object({
  ...conversationSkillSchema.pick({ name: true, description: true, instructions: true }).shape,
  ...conversationSkillSchema.pick({ prompts: true, private: true, isTemplate: true }).partial()
    .shape,
  translations: skillTranslationsSchema.optional(),
});
export type WrittenSkill = z.infer<typeof writtenSkillSchema>;
