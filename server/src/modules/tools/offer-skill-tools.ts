import { activateSkillTool } from './activate-skill-tool.ts';
import { builtinSource } from './builtin/builtin-tool.ts';
import { listSkillsTool } from './list-skills-tool.ts';
import { readSkillResourceTool } from './read-skill-resource-tool.ts';
import { searchSkillsTool } from './search-skills-tool.ts';
import type { SkillOffer, SkillTool, Tool } from './tool.ts';
import type { OfferedTool } from './tool-source.ts';

/** Tools that the conversation itself needs: they take no permission. */
export const knowhowSource = builtinSource('knowhow');

/** A tool of `knowhowSource`, as offered to models. */
export function ownTool(tool: Tool): OfferedTool {
  const { name } = tool;
  return { id: `${knowhowSource.id}/${name}`, name, source: knowhowSource, tool };
}

/** The names of all skill tools, whether offered or not. */
export const skillToolNames: ReadonlySet<string> = new Set([
  'activate_skill',
  ...[readSkillResourceTool, searchSkillsTool, listSkillsTool].map(({ name }) => name),
]);

/** The tools with which a model reads skills, in order. */
export function skillToolsFor(offer: SkillOffer): SkillTool[] {
  const { view, isSearchable } = offer;
  return [
    activateSkillTool(offer),
    view.skills.length > 0 ? readSkillResourceTool : undefined,
    ...(isSearchable ? [searchSkillsTool, listSkillsTool] : []),
  ].filter((tool) => tool !== undefined);
}
