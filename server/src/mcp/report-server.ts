import type { McpServer } from '@knowhow/shared/mcp-config';
import type { SourceState } from '../tools/tool-source.ts';
import { digestOf, type RefusedTool } from './read-tools.ts';
import type { ServerSession } from './server-session.ts';
import { titleOf } from './server-source.ts';
import type { PinnedTool, PinnedTools } from './tool-pins.ts';

/** A server as an admin sees it. */
export interface McpServerReport {
  id: string;
  title: string;
  kind: McpServer['kind'];
  enabled: boolean;
  trusted: boolean;
  /** The origin it is at, or the command, without arguments: those may hold keys. */
  target: string;
  era: ServerSession['era'] | undefined;
  state: SourceState;
  tools: ReviewedTool[];
  /** What it describes in a way that cannot be used. */
  refused: readonly RefusedTool[];
}

export interface ReviewedTool extends PinnedTool {
  name: string;
  status: 'approved' | 'new' | 'changed' | 'gone';
  /** Of what a review would agree to. */
  digest: string | undefined;
}

/** What is known of a server that is switched on. */
export interface KnownServer {
  connection: { readonly state: SourceState; readonly era: ServerSession['era'] | undefined };
  pinned: PinnedTools;
  refused: readonly RefusedTool[];
}

export function reportOf(server: McpServer, one: KnownServer | undefined): McpServerReport {
  const { id, kind, enabled, trusted } = server;
  return {
    ...{ id, kind, enabled, trusted },
    title: titleOf(server),
    target: server.kind === 'http' ? new URL(server.url).origin : server.command,
    era: one?.connection.era,
    state: one?.connection.state ?? { status: 'idle' },
    tools: [...(one?.pinned ?? [])].map(([name, tool]) => reviewed(name, tool)),
    refused: one?.refused ?? [],
  };
}

function reviewed(name: string, tool: PinnedTool): ReviewedTool {
  const { approved, offered, isThere } = tool;
  const pending = approved ? 'changed' : 'new';
  const status = !isThere ? 'gone' : offered ? pending : 'approved';
  return { ...tool, name, status, digest: offered && digestOf(offered) };
}
