import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { ListedTool } from './read-tools.ts';

/**
 * A tool as approved by an admin, and its server's current version if that differs (rug pull
 * protection).
 */
export interface PinnedTool {
  /** The usable version; undefined if never reviewed. */
  approved: ListedTool | undefined;
  /** The version waiting for review. */
  offered: ListedTool | undefined;
  /** Whether the server had it in the last listing. */
  isThere: boolean;
}

export type PinnedTools = ReadonlyMap<string, PinnedTool>;

/**
 * Merges a server's new tool list into its pins. The first list is approved, since an admin has
 * just configured the server. Later, new or changed tools wait for review, and a tool that returns
 * to its approved version is usable again.
 *
 * @param isWhole false if other users may see more tools
 */
export function compareTools(
  known: PinnedTools,
  listed: readonly ListedTool[],
  isWhole = true,
): PinnedTools {
  const isFirst = known.size === 0;
  const pinned = new Map<string, PinnedTool>();
  for (const [name, tool] of known) {
    pinned.set(name, tool.isThere && isWhole ? { ...tool, isThere: false } : tool);
  }
  for (const tool of listed) {
    const before = known.get(tool.name);
    pinned.set(tool.name, isFirst ? approved(tool) : pinOf(before, tool));
  }
  return pinned;
}

function pinOf(before: PinnedTool | undefined, tool: ListedTool): PinnedTool {
  return before?.approved && isDeepStrictEqual(before.approved, tool)
    ? approved(before.approved)
    : { approved: before?.approved, offered: tool, isThere: true };
}

function approved(tool: ListedTool): PinnedTool {
  return { approved: tool, offered: undefined, isThere: true };
}

export function usableTools(pinned: PinnedTools): ListedTool[] {
  return [...pinned.values()].flatMap(({ approved: tool, offered, isThere }) =>
    tool && !offered && isThere ? [tool] : [],
  );
}

/** Tools waiting for review. */
export function pendingTools(pinned: PinnedTools): ListedTool[] {
  return [...pinned.values()].flatMap(({ offered, isThere }) =>
    offered && isThere ? [offered] : [],
  );
}

/** Approves the offered version of a tool. */
export function reviewTool(pinned: PinnedTools, name: string): PinnedTools {
  const offered = pinned.get(name)?.offered;
  return offered ? new Map([...pinned, [name, approved(offered)]]) : pinned;
}

/** Persists pins across restarts. */
export interface PinStore {
  load(): Promise<Map<string, PinnedTools>>;
  /** Writes the changes. */
  save(server: string, before: PinnedTools, now: PinnedTools): Promise<void>;
}

export function createPinStore(database: Database): PinStore {
  return {
    load: async () => {
      const rows = await database.selectFrom('mcp_tools').selectAll().execute();
      const servers = new Map<string, Map<string, PinnedTool>>();
      for (const { server, name, approved: text, offered, is_there } of rows) {
        const tools = servers.get(server) ?? new Map<string, PinnedTool>();
        tools.set(name, {
          approved: parsed(text),
          offered: parsed(offered),
          isThere: is_there === 1,
        });
        servers.set(server, tools);
      }
      return servers;
    },
    save: async (server, before, now) => {
      const values = [...now]
        .filter(([name, tool]) => !isSame(before.get(name), tool))
        .map(([name, tool]) => ({
          server,
          name,
          approved: written(tool.approved),
          offered: written(tool.offered),
          is_there: tool.isThere ? 1 : 0,
        }));
      for (const value of values) {
        await database
          .insertInto('mcp_tools')
          .values(value)
          .onConflict((conflict) => conflict.columns(['server', 'name']).doUpdateSet(value))
          .execute();
      }
    },
  };
}

function isSame(one: PinnedTool | undefined, other: PinnedTool): boolean {
  return (
    one?.isThere === other.isThere &&
    written(one.approved) === written(other.approved) &&
    written(one.offered) === written(other.offered)
  );
}

function written(tool: ListedTool | undefined): string | null {
  return tool ? JSON.stringify(tool) : null;
}

/** Trusted: written by us. */
function parsed(text: string | null): ListedTool | undefined {
  return text === null ? undefined : (JSON.parse(text) as ListedTool);
}
