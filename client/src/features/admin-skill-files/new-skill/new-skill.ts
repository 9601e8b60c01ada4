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
  license: z.string(),
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
  license: '',
  template: 'procedure',
  withFiles: false,
};

/** The fields below `metadata`; undefined when there are none. */
export function metadataOf(skill: NewSkill): Record<string, string> | undefined {
  const { category, otherCategory } = skill;
  const chosen = category === ownCategory ? otherCategory.trim() || ownCategory : category;
  const tags = skill.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const metadata = {
    ...(chosen === '' ? {} : { category: chosen }),
    ...(tags.length > 0 ? { tags: [...new Set(tags)].join(', ') } : {}),
  };
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}

/** What is sent to create it. */
export function creationOf(skill: NewSkill, name: string, body: string) {
  const license = skill.license.trim();
  return {
    name,
    description: skill.description.trim(),
    body,
    ...(license === '' ? {} : { license }),
    ...(metadataOf(skill) ? { metadata: metadataOf(skill) } : {}),
  };
}

/** The `SKILL.md` it will be, near enough to be judged and counted. JSON's texts are YAML's as well. */
export function skillText({ body, metadata, ...fields }: ReturnType<typeof creationOf>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const below = Object.entries(metadata ?? {}).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  );
  const all = below.length > 0 ? [...lines, 'metadata:', ...below] : lines;
  return `---\n${all.join('\n')}\n---\n\n${body}`;
}
