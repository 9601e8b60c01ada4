import type { Caller } from '../access/caller.ts';
import { activeSkillsOf, type Records } from '../conversations/records.ts';
import type { SkillView, VisibleSkill } from '../skills/skill-view.ts';
import { chooseTools, modelToolOf, roomForTools } from '../tools/choose-tools.ts';
import { attachmentSource, readAttachmentTool } from '../tools/read-attachment-tool.ts';
import type { CallServices } from '../tools/run-source-tool.ts';
import { searchSource, searchTools } from '../tools/search-tools.ts';
import { createToolIndex, type ToolIndex } from '../tools/tool-index.ts';
import { plainToolNames, spellingsOf } from '../tools/tool-names.ts';
import { toolsOfApp } from '../tools/tool-rights.ts';
import type { OfferedTool, Toolbox } from '../tools/toolbox.ts';
import type { AskAccess, TurnAccess } from './turn-access.ts';
import { windowOf } from './window.ts';

interface Turn {
  services: Pick<CallServices, 'toolbox' | 'files'> | undefined;
  callerNow: () => Promise<Caller>;
  records: Records;
  message: string;
  /** Ids of the tools that the conversation has been offered before, where not all found room. */
  kept: readonly string[];
}

/** The tools of sources in a turn. */
export interface TurnTools {
  /** What the turn may use now, with those tools that it may still use. */
  access: AskAccess;
  /** Ids of those offered so far, where not all find room; the same list until there are more. */
  kept(): readonly string[];
}

/**
 * Adds the tools of sources to what a turn is offered. They are looked up once a turn; of these each round has
 * those that may be used then. An app without tools costs nothing.
 */
export function turnTools(ask: AskAccess, turn: Turn): TurnTools {
  let looking: Promise<Lookup> | undefined;
  let reading: OfferedTool | undefined;
  let last: { basis: readonly unknown[]; access: TurnAccess } | undefined;
  const kept = { ids: turn.kept };
  const access = async () => {
    const now = await ask();
    const { services } = turn;
    const reads = services && turn.records.hasTexts;
    if (!services || !now.usesTools || (isEmpty(now) && !reads)) {
      return now;
    }
    const { toolbox } = services;
    looking ??= lookUp(now, { ...turn, toolbox, kept });
    const { offered } = await looking;
    const { view } = now.offered();
    const isKept = narrowing(turn.records, view);
    const allowed = offered().filter(
      (tool) =>
        tool.source.id === searchSource.id ||
        (toolbox.isAllowed(tool, { app: now.app, view, grant: now.toolGrant }) && isKept(tool)),
    );
    reading ??= readingTool(services);
    const tools = reads ? [...allowed, reading] : allowed;
    const basis = [now, ...tools];
    if (last?.basis.length === basis.length && last.basis.every((part, at) => part === basis[at])) {
      return last.access;
    }
    last = { basis, access: withTools(now, tools) };
    return last.access;
  };
  return { access, kept: () => kept.ids };
}

/** What reads on in files that the user has attached: it needs no right. */
function readingTool({ files }: Pick<CallServices, 'files'>): OfferedTool {
  const tool = readAttachmentTool(files);
  const { name } = tool;
  return { id: `${attachmentSource.id}/${name}`, name, source: attachmentSource, tool };
}

/**
 * While one skill alone is active that says which tools it needs, no others are offered: `allowed-tools`
 * never widens what there is.
 */
function narrowing(records: Records, view: SkillView): (tool: OfferedTool) => boolean {
  const [only, ...others] = activeSkillsOf(records).keys();
  const { allowedTools = [] } = (only !== undefined && view.find(only)) || {};
  if (others.length > 0 || allowedTools.length === 0) {
    return () => true;
  }
  const allowed = new Set(plainToolNames(allowedTools));
  return (tool) =>
    allowed.has('*') ||
    [tool.source.id, `mcp__${tool.source.id}`, ...spellingsOf(tool)].some((name) =>
      allowed.has(name),
    );
}

function isEmpty({ app, toolGrant }: TurnAccess): boolean {
  const ofApp = toolsOfApp(app);
  return (ofApp !== 'all' && ofApp.size === 0) || (toolGrant !== 'all' && toolGrant.size === 0);
}

interface Lookup {
  /** Grows when a search finds more. */
  offered(): readonly OfferedTool[];
}

async function lookUp(
  access: TurnAccess,
  turn: Omit<Turn, 'kept'> & { toolbox: Toolbox; kept: { ids: readonly string[] } },
): Promise<Lookup> {
  const { toolbox, callerNow, records, message, kept } = turn;
  const { app, model } = access;
  const { view } = access.offered();
  const tools = await toolbox.list({ caller: await callerNow(), app, view });
  const index = indexOf(toolbox);
  const room = windowOf(model.config, app).request;
  const wanted = new Set(
    [...activeSkillsOf(records).keys()].flatMap((skill) => toolsNamedBy(view.find(skill))),
  );
  const had = new Set(kept.ids);
  const { chosen, isRanked } = chooseTools({ tools, room, app, kept: had, wanted, message, index });
  if (!isRanked) {
    return { offered: () => chosen };
  }
  let offered: readonly OfferedTool[] = chosen;
  kept.ids = chosen.map(({ id }) => id);
  const search = searchTools({
    count: tools.length - chosen.length,
    rank: (query, most) => index.rank(query, tools, most),
    add: (found) => {
      const fresh = found.filter((tool) => !offered.includes(tool));
      const fits = roomForTools(room);
      const all = [...offered, ...fresh].filter(fits);
      offered = all;
      kept.ids = all.map(({ id }) => id);
      return found.filter((tool) => all.includes(tool));
    },
  });
  const { name } = search;
  const source = { ...searchSource, list: nothing, listAll: nothing, state: () => ready };
  const searching: OfferedTool = { id: `${source.id}/${name}`, name, source, tool: search };
  return { offered: () => [searching, ...offered] };
}

const nothing = async () => [];
const ready = { status: 'ready' } as const;

const indexes = new WeakMap<Toolbox, ToolIndex>();

function indexOf(toolbox: Toolbox): ToolIndex {
  const index = indexes.get(toolbox) ?? createToolIndex();
  indexes.set(toolbox, index);
  return index;
}

/** What a skill asks for, in `requires-tools` and `allowed-tools`. */
function toolsNamedBy({ allowedTools = [], requiresTools = [] }: Partial<VisibleSkill> = {}) {
  return plainToolNames([...requiresTools, ...allowedTools]);
}

function withTools(access: TurnAccess, tools: readonly OfferedTool[]): TurnAccess {
  const ofSkills = access.offered();
  const offered = {
    ...ofSkills,
    tools: [...ofSkills.tools, ...tools.map(modelToolOf)],
    sourceTools: new Map(tools.map((tool) => [tool.name, tool])),
  };
  return { ...access, offered: () => offered };
}
