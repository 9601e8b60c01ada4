import type { CallReason } from '@knowhow/shared/chat/call-reason';
import { z } from 'zod';
import { isReplaced, renderFullCatalogue } from '../skills/index.ts';
import { skillTool } from './builtin/builtin-tool.ts';
import type { SkillCall, ToolResult } from './tool.ts';

const defaultLimit = 8;
const maxLimit = 20;
/** Longer queries are truncated. */
const maxQuery = 2000;

const inputSchema = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .transform((query) => query.slice(0, maxQuery)),
  limit: z.coerce
    .number()
    .transform((limit) => Math.min(Math.max(Math.trunc(limit), 1), maxLimit))
    .catch(defaultLimit),
});

/** `search_skills {query, limit?}`: full-text search for skills that match a task. */
export const searchSkillsTool = skillTool({
  name: 'search_skills',
  arguments: inputSchema,
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer', minimum: 1, maximum: maxLimit },
    },
    required: ['query'],
    additionalProperties: false,
  },
  usage:
    'search_skills takes {"query": "…"} with a few words that say what the task is about. Call it again with that.',
  values: { default: defaultLimit },
  run: async (input, call) => {
    await call.view.understand(input.query);
    return search(input, call);
  },
});

function search({ query, limit }: z.output<typeof inputSchema>, { view }: SkillCall): ToolResult {
  const found = view
    .rank(query, view.skills.length)
    .map(({ skill }) => skill)
    .filter((skill) => skill.modelInvocable && !isReplaced(view, skill));
  const skills = found.slice(0, limit);
  if (skills.length === 0) {
    return {
      content:
        'No skill matches these words. Try other words once, or browse list_skills; otherwise answer without a skill.',
      isError: false,
      summary: 'nothing found' satisfies CallReason,
      found: 0,
    };
  }
  const next =
    'If one fits the task, call activate_skill with its name. If none does, try other words once, then answer without a skill.';
  return {
    content: `${skills.length} of ${found.length} matching skills, best first. ${next}\n\n${renderFullCatalogue(skills)}`,
    isError: false,
    summary: skills.map(({ id }) => id).join(', '),
    skills: skills.map(({ id }) => id),
    found: found.length,
  };
}
