import texts from '../../../locales/en/skills.json' with { type: 'json' };

/**
 * English messages about skills: by diagnostic code, with separate keys for special cases. `{{…}}`
 * is filled in from the values. Translations have the same keys and values.
 */
export const skillMessages = texts.skillTexts.messages;

export type SkillMessage = keyof typeof skillMessages;
