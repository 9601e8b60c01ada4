import { type EditableField, writtenFields } from '@knowhow/shared/skills/skill-fields';
import { isTag, maxTags, normalizeTag } from '@knowhow/shared/skills/skill-tags';
import { z } from 'zod';

export const templates = ['procedure', 'style', 'checklist', 'empty'] as const;
export type Template = (typeof templates)[number];

/** The option for a custom category. */
export const ownCategory = 'custom';
export const categories = [
  'general',
  'coding',
  'ops',
  'writing',
  'research',
  'design',
  'testing',
  'security',
  ownCategory,
] as const;

/** The form values of a skill that does not exist yet. */
export const newSkillSchema = z.object({
  title: z.string(),
  /** Omitted while it is derived from the title. */
  name: z.string().optional(),
  description: z.string(),
  category: z.enum(['', ...categories]),
  /** Used if `category` is `ownCategory`. */
  otherCategory: z.string(),
  /** Separated by commas. */
  tags: z.string(),
  version: z.string(),
  /** Separated by commas or spaces. */
  requiresTools: z.string(),
  license: z.string(),
  /** Requirements, as a sentence. */
  compatibility: z.string().default(''),
  template: z.enum(templates),
  /** Omitted while it is the template. */
  body: z.string().optional(),
  withFiles: z.boolean(),
});
export type NewSkill = z.output<typeof newSkillSchema>;

export const emptySkill: NewSkill = {
  title: '',
  description: '',
  category: '',
  otherCategory: '',
  tags: '',
  version: '',
  requiresTools: '',
  license: '',
  compatibility: '',
  template: 'procedure',
  withFiles: false,
};

/** Normalised tags: lower case, hyphens instead of spaces, deduplicated. */
function normalizeTags({ tags }: NewSkill): string[] {
  const written = tags.split(',').map(normalizeTag);
  return [...new Set(written)].filter((tag) => tag !== '');
}

/** Why the tags are invalid: one is malformed, or there are too many. */
export function validateTags(skill: NewSkill): { odd: string } | 'too-many' | undefined {
  const tags = normalizeTags(skill);
  const odd = tags.find((tag) => !isTag(tag));
  if (odd !== undefined) {
    return { odd };
  }
  return tags.length > maxTags ? 'too-many' : undefined;
}

/** The chosen or custom category; empty for none. */
export function getCategory({ category, otherCategory }: NewSkill): string {
  return category === ownCategory ? otherCategory.trim() || ownCategory : category;
}

/** The values of all required fields. */
function getRequiredTexts(skill: NewSkill): Record<EditableField, string> {
  const { version, requiresTools, license, compatibility } = skill;
  const tools = requiresTools.split(/[\s,]+/).filter((name) => name !== '');
  return {
    category: getCategory(skill),
    tags: normalizeTags(skill).join(', '),
    version: version.trim(),
    requiresTools: [...new Set(tools)].join(', '),
    license: license.trim(),
    compatibility: compatibility.trim(),
  };
}

/** The create request. */
export function toCreateRequest(skill: NewSkill, name: string, body: string) {
  const { top, metadata } = writtenFields(getRequiredTexts(skill));
  const displayName = skill.title.trim();
  return {
    name,
    ...(displayName === '' || displayName === name ? {} : { displayName }),
    description: skill.description.trim(),
    body,
    ...top,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** An approximation of the resulting `SKILL.md`, for review and token counts. JSON strings are valid YAML. */
export function skillText(creation: ReturnType<typeof toCreateRequest>): string {
  const { body, metadata, displayName: _, ...fields } = creation;
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const below = Object.entries(metadata ?? {}).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  );
  const all = below.length > 0 ? [...lines, 'metadata:', ...below] : lines;
  return `---\n${all.join('\n')}\n---\n\n${body}`;
}

/** The `SKILL.md` of a draft. A display name is in the file: a draft has no settings. */
export function draftText(creation: ReturnType<typeof toCreateRequest>): string {
  const { displayName, metadata } = creation;
  return displayName === undefined
    ? skillText(creation)
    : skillText({ ...creation, metadata: { ...metadata, 'display-name': displayName } });
}
