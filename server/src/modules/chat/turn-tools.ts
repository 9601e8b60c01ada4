import { getActiveSkills, type Records } from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';
import type { SkillView } from '../skills/index.ts';
import {
  type CallServices,
  chooseTools,
  createToolBudget,
  createToolIndex,
  getToolSpellings,
  knowhowSource,
  type OfferedTool,
  plainToolNames,
  readAttachmentTool,
  searchTools,
  type Toolbox,
  type ToolIndex,
  toolsOfApp,
} from '../tools/index.ts';
import { type AskAccess, describeTools, type TurnAccess } from './turn-access.ts';
import { allocateWindow } from './window.ts';

interface Turn {
  services: Pick<CallServices, 'toolbox' | 'files'> | undefined;
  callerNow: () => Promise<Caller>;
  records: Records;
  message: string;
  /** IDs of the tools offered earlier in the conversation, if not all fit. */
  kept: readonly string[];
}

/** The tools of sources in a turn. */
export interface TurnTools {
  /** Computes what the turn may use now, with the tools that are still permitted. */
  access: AskAccess;
  /** IDs of the tools offered so far, if not all fit; the same array until there are more. */
  kept(): readonly string[];
}

/**
 * Adds tools of sources to what a turn is offered. They are listed once a turn and filtered by permission in each
 * round. An app without tools costs nothing.
 */
export function turnTools(ask: AskAccess, turn: Turn): TurnTools {
  let lookup: Promise<Lookup> | undefined;
  let readTool: OfferedTool | undefined;
  let last: { basis: readonly unknown[]; access: TurnAccess } | undefined;
  const offeredIds = { ids: turn.kept };
  const access = async () => {
    const now = await ask();
    const { services } = turn;
    const needsReading = services && turn.records.hasTexts;
    if (!services || !now.usesTools || (isEmpty(now) && !needsReading)) {
      return now;
    }
    const { toolbox } = services;
    lookup ??= lookUp(now, { ...turn, toolbox, kept: offeredIds });
    const { listed, offered } = await lookup;
    const { view } = now.offered();
    const isInScope = createScopeFilter(turn.records, view);
    const isAllowed = (tool: OfferedTool) =>
      toolbox.isAllowed(tool, { app: now.app, view, grant: now.toolGrant });
    const allowed = offered(activeSkillNeeds(turn.records, view)).filter(
      (tool) => tool.source === knowhowSource || (isAllowed(tool) && isInScope(tool)),
    );
    if (needsReading) {
      readTool ??= readAttachmentTool(services.files);
    }
    const tools = readTool && needsReading ? [...allowed, readTool] : allowed;
    const basis = [now, ...tools];
    if (last?.basis.length === basis.length && last.basis.every((part, at) => part === basis[at])) {
      return last.access;
    }
    const callable = () => new Map(listed.filter(isAllowed).map((tool) => [tool.name, tool]));
    last = { basis, access: withTools(now, tools, callable) };
    return last.access;
  };
  return { access, kept: () => offeredIds.ids };
}

/**
 * If exactly one active skill has `allowed-tools`, only those tools and the skill's own are offered. `allowed-tools`
 * never grants a tool.
 */
function createScopeFilter(records: Records, view: SkillView): (tool: OfferedTool) => boolean {
  const [only, ...others] = getActiveSkills(records).keys();
  const { allowedTools = [] } = (only !== undefined && view.find(only)) || {};
  if (others.length > 0 || allowedTools.length === 0) {
    return () => true;
  }
  const allowed = new Set(plainToolNames(allowedTools));
  return (tool) =>
    allowed.has('*') ||
    (only !== undefined && tool.tool.skills?.includes(only)) ||
    [tool.source.id, `mcp__${tool.source.id}`, ...getToolSpellings(tool)].some((name) =>
      allowed.has(name),
    );
}

function isEmpty({ app, toolGrant }: TurnAccess): boolean {
  const ofApp = toolsOfApp(app);
  return (ofApp !== 'all' && ofApp.size === 0) || (toolGrant !== 'all' && toolGrant.size === 0);
}

interface Lookup {
  /** Tools that were permitted when the turn began. */
  listed: readonly OfferedTool[];
  /** Tools to offer; grows when a search finds more or an active skill needs others. */
  offered(needs: SkillNeeds): readonly OfferedTool[];
}

async function lookUp(
  access: TurnAccess,
  turn: Omit<Turn, 'kept'> & { toolbox: Toolbox; kept: { ids: readonly string[] } },
): Promise<Lookup> {
  const { toolbox, callerNow, message, kept } = turn;
  const { app, model } = access;
  const { view } = access.offered();
  const tools = await toolbox.list({ caller: await callerNow(), app, view });
  const index = indexOf(toolbox);
  const budget = allocateWindow(model.config, app).request;
  let chosen: { needs: string; tools: readonly OfferedTool[] } | undefined;
  let searching: OfferedTool | undefined;
  const choose = (needs: SkillNeeds) => {
    const offeredBefore = new Set(kept.ids);
    return chooseTools({ tools, room: budget, app, kept: offeredBefore, ...needs, message, index });
  };
  const add = (found: readonly OfferedTool[]) => {
    const offeredSoFar = chosen?.tools ?? [];
    const newTools = found.filter((tool) => !offeredSoFar.includes(tool));
    const all = [...offeredSoFar, ...newTools].filter(createToolBudget(budget));
    chosen = { needs: chosen?.needs ?? '', tools: all };
    kept.ids = all.map(({ id }) => id);
    return found.filter((tool) => all.includes(tool));
  };
  const offered = (needs: SkillNeeds) => {
    const key = JSON.stringify([...needs.skills, ...needs.wanted]);
    if (chosen?.needs !== key) {
      const choice = choose(needs);
      chosen = { needs: key, tools: choice.chosen };
      if (choice.isRanked) {
        kept.ids = choice.chosen.map(({ id }) => id);
        searching ??= searchTools({
          count: tools.length - choice.chosen.length,
          rank: (query, most) => index.rank(query, tools, most),
          add,
        });
      }
    }
    return searching ? [searching, ...chosen.tools] : chosen.tools;
  };
  return { listed: tools, offered };
}

const indexes = new WeakMap<Toolbox, ToolIndex>();

function indexOf(toolbox: Toolbox): ToolIndex {
  const index = indexes.get(toolbox) ?? createToolIndex();
  indexes.set(toolbox, index);
  return index;
}

interface SkillNeeds {
  /** IDs of the active skills. */
  skills: ReadonlySet<string>;
  /** Names in their `requires-tools` and `allowed-tools`. */
  wanted: ReadonlySet<string>;
}

function activeSkillNeeds(records: Records, view: SkillView): SkillNeeds {
  const skills = new Set(getActiveSkills(records).keys());
  const named = [...skills].flatMap((skill) => {
    const { allowedTools = [], requiresTools = [] } = view.find(skill) ?? {};
    return [...requiresTools, ...allowedTools];
  });
  return { skills, wanted: new Set(plainToolNames(named)) };
}

/** @param callable what a running tool may call: everything permitted, offered or not */
function withTools(
  access: TurnAccess,
  added: readonly OfferedTool[],
  callable: () => ReadonlyMap<string, OfferedTool>,
): TurnAccess {
  const offered = { ...offerWith(access, added), callableTools: callable };
  return { ...access, offered: () => offered };
}

type Offer = ReturnType<TurnAccess['offered']>;

/** The offer of an access with these tools. Turns that share the access get the same tools again. */
function offerWith(access: TurnAccess, added: readonly OfferedTool[]): Offer {
  const last = lastOffers.get(access);
  if (last && isSameList(last.added, added)) {
    return last.offer;
  }
  const ofSkills = access.offered();
  const { tools, runnable } = describeTools(added);
  const offer = {
    ...ofSkills,
    tools: [...ofSkills.tools, ...tools],
    runnable: new Map([...ofSkills.runnable, ...runnable]),
  };
  lastOffers.set(access, { added, offer });
  return offer;
}

const lastOffers = new WeakMap<TurnAccess, { added: readonly OfferedTool[]; offer: Offer }>();

/** Each turn lists its tools again, so the tools themselves are compared. */
function isSameList(some: readonly OfferedTool[], others: readonly OfferedTool[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, name, source, tool }, at) => {
      const other = others[at];
      return (
        other !== undefined &&
        id === other.id &&
        name === other.name &&
        source === other.source &&
        tool === other.tool
      );
    })
  );
}
