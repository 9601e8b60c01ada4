import type { AppConfig } from '@knowhow/shared/config/app-config';
import { guessTokens } from '@knowhow/shared/count-tokens';
import { describeParameters } from './describe-parameters.ts';
import type { ToolIndex } from './tool-index.ts';
import { getToolSpellings } from './tool-names.ts';
import type { OfferedTool } from './tool-source.ts';
import type { TranslatableTool } from './translate-tools.ts';

/** Maximum tools to offer if they fit; the best matches are chosen. */
const maxTools = 40;
const maxShare = 0.05;
/**
 * Share of the budget for matches of the first message; the rest is for later messages and
 * searches.
 */
const guessedShare = 0.6;
/** Additional share for later messages, and reserved for searches. */
const laterShare = 0.1;
/** Limit of vendors. */
const maxDescriptionLength = 1024;

interface Choosing {
  /** All available tools, in order. */
  tools: readonly OfferedTool[];
  /** Token budget of a request. */
  room: number;
  app: AppConfig;
  /** IDs of tools offered earlier in the conversation. */
  kept: ReadonlySet<string>;
  /** IDs of active skills; their tools come first. */
  skills?: ReadonlySet<string>;
  /** Tool names that active skills use. */
  wanted: ReadonlySet<string>;
  message: string;
  index: ToolIndex;
}

interface ChosenTools {
  chosen: OfferedTool[];
  /** Whether tools were left out. */
  isRanked: boolean;
}

/**
 * Chooses the tools to offer: all if they fit. Otherwise by priority: tools of active skills, tools
 * already offered, tools named by the app, and the best matches for the message.
 */
export function chooseTools({
  tools,
  room,
  app,
  kept,
  skills = new Set(),
  wanted,
  message,
  index,
}: Choosing): ChosenTools {
  const fits = createToolBudget(room);
  if (tools.every(fits)) {
    return { chosen: [...tools], isRanked: false };
  }
  const named = new Set(app.tools);
  const known = new Set([
    ...tools.filter(({ tool }) => tool.skills?.some((skill) => skills.has(skill))),
    ...tools.filter((tool) => getToolSpellings(tool).some((name) => wanted.has(name))),
    ...tools.filter(({ id }) => kept.has(id)),
    ...tools.filter(({ id, name }) => named.has(id) || named.has(name)),
  ]);
  const chosen = [...known].filter(createToolBudget(room));
  const share = shareForGuesses(chosen, room);
  const fitsRemaining = createToolBudget(room * share, Math.floor(maxTools * share));
  const matches = new Set([...chosen, ...index.rank(message, tools, maxTools)]);
  chosen.push(...[...matches].filter(fitsRemaining).filter((tool) => !chosen.includes(tool)));
  return { chosen: tools.filter((tool) => chosen.includes(tool)), isRanked: true };
}

/** Share of the tool budget that matches may use, including tools already chosen. */
function shareForGuesses(chosen: readonly OfferedTool[], room: number): number {
  const tokens = chosen.reduce((sum, tool) => sum + tokensOf(tool), 0);
  const taken = Math.max(tokens / (room * maxShare), chosen.length / maxTools);
  return Math.min(1 - laterShare, Math.max(guessedShare, taken + laterShare));
}

/** Returns a predicate that admits tools while they fit the budget. */
export function createToolBudget(room: number, most = maxTools): (tool: OfferedTool) => boolean {
  let remaining = room * maxShare;
  let count = 0;
  return (tool) => {
    const tokens = tokensOf(tool);
    if (count >= most || tokens > remaining) {
      return false;
    }
    count += 1;
    remaining -= tokens;
    return true;
  };
}

/** A tool as described to models. */
export function toModelTool({ name, tool }: OfferedTool): TranslatableTool {
  const { title, description, parameters, textsIn } = tool;
  const text = description.trim() || title || name;
  return {
    name,
    description:
      text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength - 1)}…` : text,
    parameters: describeParameters(parameters).schema,
    ...(textsIn ? { textsIn } : {}),
  };
}

function tokensOf(offered: OfferedTool): number {
  const known = tokens.get(offered.tool) ?? guessTokens(JSON.stringify(toModelTool(offered)));
  tokens.set(offered.tool, known);
  return known;
}

const tokens = new WeakMap<object, number>();
