import type { ToolConsent, ToolsConfig } from '@knowhow/shared/config/tools-config';
import type { Grant } from '../identity/index.ts';
import type { SkillView } from '../skills/index.ts';
import { describeParameters } from './describe-parameters.ts';
import { skillToolNames } from './offer-skill-tools.ts';
import type { Tool } from './tool.ts';
import { getToolDigest } from './tool-digest.ts';
import { getToolSpellings, nameTools, toolId } from './tool-names.ts';
import { coversTool, toolsOfApp } from './tool-rights.ts';
import type { OfferedTool, ToolAccess, ToolSource } from './tool-source.ts';

/** All tool sources behind a single permission check. */
export interface Toolbox {
  readonly sources: readonly ToolSource[];
  /**
   * Tools a caller may use in an app: enabled, unchanged, granted to their groups and offered by
   * the app.
   */
  list(access: ToolAccess): Promise<readonly OfferedTool[]>;
  /** All available tools, regardless of permissions. */
  listAll(): Promise<readonly KnownTool[]>;
  /** All names by which skills may refer to tools, as of the last listing. */
  names(): ReadonlySet<string>;
  /** Whether a listed tool may be used now. */
  isAllowed(
    tool: OfferedTool,
    access: Pick<ToolAccess, 'app'> & { view: Pick<SkillView, 'find'>; grant: Grant },
  ): boolean;
  /** Whether the user has to consent before it runs. */
  asks(tool: OfferedTool): boolean;
}

export interface KnownTool extends OfferedTool {
  digest: string;
  consent: ToolConsent;
  isEnabled: boolean;
  /** Whether an admin approved this version. */
  isApproved: boolean;
  /** Why it cannot be offered to models. */
  schemaIssue: string | undefined;
}

interface Dependencies {
  sources: () => readonly ToolSource[];
  config: () => ToolsConfig;
}

export function createToolbox({ sources, config }: Dependencies): Toolbox {
  const isOn = (source: ToolSource) => config().sources?.[source.id]?.enabled !== false;
  const entryOf = (id: string) => config().tools?.[id];
  const isUsable = ({ id, tool }: OfferedTool) =>
    entryOf(id)?.enabled !== false &&
    tool.changed !== true &&
    describeParameters(tool.parameters).fault === undefined;
  const isApproved = ({ id, tool }: OfferedTool) => entryOf(id)?.approved === getToolDigest(tool);
  const consentOf = ({ id, tool }: OfferedTool) => entryOf(id)?.consent ?? tool.consent;
  const isAllowed: Toolbox['isAllowed'] = (offered, { app, view, grant }) =>
    isOn(offered.source) &&
    isUsable(offered) &&
    coversTool(grant, offered.source, offered.tool) &&
    coversTool(toolsOfApp(app), offered.source, offered.tool) &&
    (offered.tool.skills ?? []).every((skill) => view.find(skill) !== undefined);
  let known: ReadonlySet<string> = skillToolNames;
  let isListed = false;
  const describe = (offered: OfferedTool): KnownTool => ({
    ...offered,
    digest: getToolDigest(offered.tool),
    consent: consentOf(offered),
    isEnabled: entryOf(offered.id)?.enabled !== false,
    isApproved: isApproved(offered),
    schemaIssue: describeParameters(offered.tool.parameters).fault,
  });
  const listAll = async () => {
    const found = await gather(sources(), (source) => source.listAll());
    known = new Set([...skillToolNames, ...found.flatMap(getToolSpellings)]);
    return found.map(describe);
  };
  return {
    get sources() {
      return sources();
    },
    list: async (access) => {
      const { app, view, caller } = access;
      const grant = caller.permissions.tools;
      const found = await gather(sources().filter(isOn), (source) => source.list(access));
      return found.filter((offered) => isAllowed(offered, { app, view, grant }));
    },
    listAll,
    isAllowed,
    names: () => {
      if (!isListed) {
        isListed = true;
        listAll().catch(() => {
          isListed = false;
        });
      }
      return known;
    },
    asks: (offered) => consentOf(offered) === 'ask' && !isApproved(offered),
  };
}

/** Lists sources in parallel and assigns model-facing names. */
async function gather(
  some: readonly ToolSource[],
  listOf: (source: ToolSource) => Promise<readonly Tool[]>,
): Promise<OfferedTool[]> {
  const lists = await Promise.all(
    some.map(async (source) => (await listOf(source)).map((tool) => ({ source, tool }))),
  );
  const tools = lists.flat();
  const names = nameTools(tools);
  return tools.map(({ source, tool }): OfferedTool => {
    const id = toolId(source, tool);
    return { id, name: names.get(id) ?? id, source, tool };
  });
}
