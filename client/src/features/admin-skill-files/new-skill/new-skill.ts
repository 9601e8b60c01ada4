import { type EditableField, writtenFields } from '@knowhow/shared/skills/skill-fields';
import { isTag, mostTags, tagOf } from '@knowhow/shared/skills/skill-tags';
import { z } from 'zod';

export const templates = ['procedure', 'style', 'checklist', 'empty'] as const;
export type Template = (typeof templates)[number];

/** What is chosen as a category when one's own is wanted. */
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

/** What has been typed so far of a skill that does not exist yet. */
export const newSkillSchema = z.object({
  title: z.string(),
  /** Left out as long as it is made of the title. */
  name: z.string().optional(),
  description: z.string(),
  category: z.enum(['', ...categories]),
  /** What counts when `category` is `ownCategory`. */
  otherCategory: z.string(),
  /** With commas between. */
  tags: z.string(),
  version: z.string(),
  /** With commas or blanks between. */
  requiresTools: z.string(),
  license: z.string(),
  /** What it needs, in a sentence. */
  compatibility: z.string().default(''),
  template: z.enum(templates),
  /** Left out as long as it is the template's. */
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

/** The tags as they will be: in lower case, with hyphens for blanks, each once. */
function tagsOf({ tags }: NewSkill): string[] {
  const written = tags.split(',').map(tagOf);
  return [...new Set(written)].filter((tag) => tag !== '');
}

/** Why the tags are refused: one that is none, or too many. */
export function tagsFault(skill: NewSkill): { odd: string } | 'too-many' | undefined {
  const tags = tagsOf(skill);
  const odd = tags.find((tag) => !isTag(tag));
  if (odd !== undefined) {
    return { odd };
  }
  return tags.length > mostTags ? 'too-many' : undefined;
}

/** The text of each field that is asked for; empty where nothing was said. */
function textsOf(skill: NewSkill): Record<EditableField, string> {
  const { category, otherCategory, version, requiresTools, license, compatibility } = skill;
  const tools = requiresTools.split(/[\s,]+/).filter((name) => name !== '');
  return {
    category: category === ownCategory ? otherCategory.trim() || ownCategory : category,
    tags: tagsOf(skill).join(', '),
    version: version.trim(),
    requiresTools: [...new Set(tools)].join(', '),
    license: license.trim(),
    compatibility: compatibility.trim(),
  };
}

/** What is sent to create it. */
export function creationOf(skill: NewSkill, name: string, body: string) {
  const { top, metadata } = writtenFields(textsOf(skill));
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

/** The `SKILL.md` it will be, near enough to be judged and counted. JSON's texts are YAML's as well. */
export function skillText(creation: ReturnType<typeof creationOf>): string {
  const { body, metadata, displayName: _, ...fields } = creation;
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const below = Object.entries(metadata ?? {}).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  );
  const all = below.length > 0 ? [...lines, 'metadata:', ...below] : lines;
  return `---\n${all.join('\n')}\n---\n\n${body}`;
}
