import texts from '../../../locales/en/skills.json' with { type: 'json' };

/** English remedies for diagnostics, by code, with separate keys for special cases. */
export const skillFixes = texts.skillTexts.fixes;

export type SkillFix = keyof typeof skillFixes;
