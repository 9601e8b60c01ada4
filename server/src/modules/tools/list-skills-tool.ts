import { categoryKey } from '@knowhow/shared/skills/skill-category';
import { z } from 'zod';
import { formatCount } from '../../platform/lib/format-count.ts';
import { renderFullCatalogue, type VisibleSkill } from '../skills/index.ts';
import { skillsToTell } from './activate-skill-tool.ts';
import { skillTool } from './builtin/builtin-tool.ts';
import { type SkillCall, type ToolResult, toolError } from './tool.ts';

const pageSize = 20;
const maxCategories = 40;
const nameSchema = z.string().trim().max(200);
const inputSchema = z.object({
  category: nameSchema.optional(),
  /** End of the previous page: some models send a number. */
  cursor: z.union([nameSchema, z.number().int().transform(String)]).optional(),
});

/**
 * `list_skills {category?, cursor?}`: pages through all skills, when the model does not know what
 * to search for.
 */
export const listSkillsTool = skillTool({
  name: 'list_skills',
  arguments: inputSchema,
  parameters: {
    type: 'object',
    properties: { category: { type: 'string' }, cursor: { type: 'string' } },
    additionalProperties: false,
  },
  usage:
    'list_skills takes {"category": "…", "cursor": "…"}, and both can be left out. Call it again with that.',
  values: { count: pageSize },
  run: list,
});

function list(
  { category = '', cursor = '0' }: z.output<typeof inputSchema>,
  { view }: SkillCall,
): ToolResult {
  const all = skillsToTell(view);
  const categories = namesOfCategories(all);
  const wanted = categoryKey(category);
  const skills = all.filter((skill) => wanted === undefined || categoryOf(skill) === wanted);
  if (skills.length === 0) {
    return toolError(
      `There is no category "${category}". ${categories || 'No skill has a category: call list_skills without one, or search_skills.'}`,
      'no such category',
    );
  }
  const start = /^\d{1,7}$/.test(cursor) ? Number(cursor) : -1;
  const page = start < 0 ? [] : skills.slice(start, start + pageSize);
  if (page.length === 0) {
    return toolError(
      `"${cursor.slice(0, 50)}" is not a cursor of this list of ${formatCount(skills.length, 'skill')}. Call list_skills without a cursor to start.`,
      'no such page',
    );
  }
  const end = start + page.length;
  const next = end < skills.length ? ` Next: cursor "${end}".` : ' This is the end.';
  const head = start === 0 && wanted === undefined && categories !== '' ? `${categories}\n\n` : '';
  return {
    content: `${head}Skills ${start + 1} to ${end} of ${skills.length}.${next}\n\n${renderFullCatalogue(page)}`,
    isError: false,
    summary: `${start + 1}–${end} / ${skills.length}`,
    skills: page.map(({ id }) => id),
  };
}

function categoryOf({ category }: VisibleSkill): string | undefined {
  return categoryKey(category);
}

/** A sentence; empty if no skill has a category. */
function namesOfCategories(skills: readonly VisibleSkill[]): string {
  const counts = new Map<string, number>();
  for (const category of skills.map(categoryOf)) {
    if (category) {
      counts.set(category, (counts.get(category) ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, maxCategories);
  const named = sorted.map(([name, count]) => `${name} (${count})`).join(', ');
  return named && `Categories: ${named}.`;
}
