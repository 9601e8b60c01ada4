import type { AppConfig } from '@knowhow/shared/config/app-config';
import { guessTokens } from '../lib/count-tokens.ts';
import type { ModelTool } from '../models/model.ts';
import { describeParameters } from './describe-parameters.ts';
import type { ToolIndex } from './tool-index.ts';
import { spellingsOf } from './tool-names.ts';
import type { OfferedTool } from './toolbox.ts';

/** Up to so many are offered, if they find room; beyond, those that fit best. */
const mostTools = 40;
const largestShare = 0.05;
/** Of that, what is filled by how well they fit the first message; the rest is for later ones and searches. */
const guessedShare = 0.6;
/** What a later message may fill, and what is left for searches in any case. */
const laterShare = 0.1;
/** What vendors take. */
const longestDescription = 1024;

interface Choosing {
  /** All that may be used, in their order. */
  tools: readonly OfferedTool[];
  /** What a request may have, in tokens. */
  room: number;
  app: AppConfig;
  /** Ids of those that the conversation has been offered before. */
  kept: ReadonlySet<string>;
  /** Ids of the active skills: their own tools are chosen first. */
  skills?: ReadonlySet<string>;
  /** Names by which active skills call the tools they want. */
  wanted: ReadonlySet<string>;
  message: string;
  index: ToolIndex;
}

interface ChosenTools {
  chosen: OfferedTool[];
  /** Whether there are more. */
  isRanked: boolean;
}

/**
 * The tools to offer: all of them, or where they are too many those that active skills bring and name, then
 * those the conversation has had, those the app names, and those that fit the message best.
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
  const fits = roomForTools(room);
  if (tools.every(fits)) {
    return { chosen: [...tools], isRanked: false };
  }
  const named = new Set(app.tools);
  const known = new Set([
    ...tools.filter(({ tool }) => tool.skills?.some((skill) => skills.has(skill))),
    ...tools.filter((tool) => spellingsOf(tool).some((name) => wanted.has(name))),
    ...tools.filter(({ id }) => kept.has(id)),
    ...tools.filter(({ id, name }) => named.has(id) || named.has(name)),
  ]);
  const chosen = [...known].filter(roomForTools(room));
  const share = shareForGuesses(chosen, room);
  const isRoomForMore = roomForTools(room * share, Math.floor(mostTools * share));
  const guessed = new Set([...chosen, ...index.rank(message, tools, mostTools)]);
  chosen.push(...[...guessed].filter(isRoomForMore).filter((tool) => !chosen.includes(tool)));
  return { chosen: tools.filter((tool) => chosen.includes(tool)), isRanked: true };
}

/** Of the room for tools, with those that are there already. */
function shareForGuesses(chosen: readonly OfferedTool[], room: number): number {
  const tokens = chosen.reduce((sum, tool) => sum + tokensOf(tool), 0);
  const taken = Math.max(tokens / (room * largestShare), chosen.length / mostTools);
  return Math.min(1 - laterShare, Math.max(guessedShare, taken + laterShare));
}

/** Takes one tool after the other, and says of each whether there is room for it. */
export function roomForTools(room: number, most = mostTools): (tool: OfferedTool) => boolean {
  let left = room * largestShare;
  let count = 0;
  return (tool) => {
    const tokens = tokensOf(tool);
    if (count >= most || tokens > left) {
      return false;
    }
    count += 1;
    left -= tokens;
    return true;
  };
}

/** As it is put to models. */
export function modelToolOf({ name, tool }: OfferedTool): ModelTool {
  const { title, description, parameters } = tool;
  const text = description.trim() || title || name;
  return {
    name,
    description:
      text.length > longestDescription ? `${text.slice(0, longestDescription - 1)}…` : text,
    parameters: describeParameters(parameters).schema,
  };
}

function tokensOf(offered: OfferedTool): number {
  const known = tokens.get(offered.tool) ?? guessTokens(JSON.stringify(modelToolOf(offered)));
  tokens.set(offered.tool, known);
  return known;
}

const tokens = new WeakMap<object, number>();
