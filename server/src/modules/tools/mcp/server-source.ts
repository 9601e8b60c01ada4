import { isDeepStrictEqual } from 'node:util';
import { localize } from '@knowhow/shared/config/localized';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { isRecord } from '@knowhow/shared/is-record';
import type { Caller } from '../../identity/index.ts';
import type { Tool, ToolCall, ToolResult } from '../tool.ts';
import type { SourceState, ToolSource } from '../tool-source.ts';
import type { Connections } from './connections.ts';
import { describeFailure, Unavailable } from './describe-failure.ts';
import { isPersonal } from './oauth/sign-in-servers.ts';
import type { ListedTool, RefusedTool } from './read-tools.ts';
import { type PinnedTools, pendingTools, usableTools } from './tool-pins.ts';
import { toolResult } from './tool-result.ts';

interface Options {
  server: McpServer;
  connections: Pick<Connections, 'of' | 'state' | 'retry'>;
  pinned: () => PinnedTools;
  /** Tools that were ignored because they are invalid. */
  refused: () => readonly RefusedTool[];
  /** Called when a caller could use the tools: refreshes them in the background. */
  wanted: (user: string) => void;
  accept: (name: string) => Promise<void>;
}

const none: readonly Tool[] = [];

/** A tool source for a server's known tools, without querying it. */
export function serverSource(options: Options): ToolSource {
  const { server, connections, pinned, refused, wanted, accept } = options;
  let cached: { from: PinnedTools; usable: Tool[]; all: Tool[] } | undefined;
  const tools = () => {
    const from = pinned();
    if (cached?.from !== from) {
      const chosen = (listed: ListedTool[]) => listed.filter(({ name }) => isChosen(name, server));
      const usable = chosen(usableTools(from)).map((tool) => sourceTool(tool, options));
      const pending = chosen(pendingTools(from)).map((tool) => sourceTool(tool, options));
      const changed = pending.map((tool) => {
        const was = from.get(tool.name)?.approved;
        return { ...tool, changed: true, ...(was ? { was: shownOf(was) } : {}) };
      });
      cached = { from, usable, all: [...usable, ...changed] };
    }
    return cached;
  };
  return {
    id: server.id,
    title: titleOf(server),
    kind: 'mcp',
    list: async ({ caller }) => {
      const { groups } = server;
      if (groups && !groups.some((group) => caller.groups.includes(group))) {
        return none;
      }
      wanted(caller.id);
      return tools().usable;
    },
    listAll: async () => tools().all,
    state: () => withRefused(connections.state, refused()),
    accept,
    reconnect: () => connections.retry(),
  };
}

/** The display name of a server. */
export function titleOf({ title }: McpServer): string {
  return localize(title, 'en').slice(0, 200);
}

function shownOf({ title, description, parameters }: ListedTool): Tool['was'] {
  return { title, description, parameters };
}

function isChosen(name: string, { tools, excludedTools }: McpServer): boolean {
  const matches = (pattern: string) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
  return tools.some(matches) && !excludedTools.some(matches);
}

const maxNamed = 5;

/** Adds a note about ignored tools to the state of a working server. */
function withRefused(state: SourceState, refused: readonly RefusedTool[]): SourceState {
  if (state.message !== undefined || refused.length === 0) {
    return state;
  }
  const named = refused
    .slice(0, maxNamed)
    .map(({ name, message }) => `"${name.slice(0, 60)}": ${message}`);
  const count = refused.length === 1 ? 'A tool is' : `${refused.length} tools are`;
  const more = refused.length > maxNamed ? ' …' : '';
  return { ...state, message: `${count} left out. ${named.join(' ')}${more}` };
}

type CallOptions = Pick<Options, 'server' | 'connections' | 'pinned'>;

function sourceTool(tool: ListedTool, options: CallOptions): Tool {
  const { name, title, description, parameters } = tool;
  const { consent, limits } = options.server;
  const hints = hintsOf(tool, options.server);
  return {
    name,
    title,
    description,
    parameters,
    hints,
    consent: consent ?? (hints.readOnly ? 'never' : 'ask'),
    limits: { idleTimeoutMs: limits.callMs, totalTimeoutMs: limits.maxCallMs },
    run: (input, call) => runTool(tool, isRecord(input) ? input : {}, call, options),
  };
}

/** A server's annotations are believed only if it is trusted; otherwise the worst is assumed. */
function hintsOf({ annotations }: ListedTool, { trusted }: McpServer): Tool['hints'] {
  const { readOnly = false, destructive = true, openWorld = true } = annotations;
  const hints = trusted
    ? { readOnly, destructive: destructive && !readOnly, openWorld }
    : { readOnly: false, destructive: true, openWorld: true };
  return { ...hints, isAssumed: hints.destructive && annotations.destructive !== true };
}

async function runTool(
  tool: ListedTool,
  input: Record<string, unknown>,
  call: ToolCall,
  { server, connections, pinned }: CallOptions,
): Promise<ToolResult> {
  const { signal } = call;
  const { name, parameters } = tool;
  try {
    const answer = await connections.of(call.caller.id).use((session) => {
      // The tools may have just been listed again.
      refuseChanged(tool, pinned());
      // Connecting does not count towards the call's timeout.
      call.progress('');
      const progress = throttleProgress(call.progress);
      return session.call({ name, input, parameters, signal, progress, ask: call.ask });
    }, signal);
    return toolResult(answer);
  } catch (error) {
    signal.throwIfAborted();
    return failed(server, describeFailure(error), call.caller);
  }
}

function failed(
  server: McpServer,
  { message, needsSignIn }: Unavailable,
  { anonymous }: Pick<Caller, 'anonymous'>,
): ToolResult {
  const refused = `${titleOf(server)} could not do this. ${message}`;
  if (!needsSignIn) {
    const content = `${refused} Try something else, or continue without it.`;
    return { content, isError: true, summary: 'failed' };
  }
  const how = anonymous
    ? 'Only people with an account here can: a guest signs in here first.'
    : 'The user does that in the account menu, under Connections.';
  const what = isPersonal(server) ? how : 'An administrator has to set that up.';
  const content = `${refused} ${what} Tell the user so, and continue without it until then.`;
  return { content, isError: true, summary: isPersonal(server) ? 'not signed in' : 'failed' };
}

function refuseChanged(tool: ListedTool, pinned: PinnedTools): void {
  const now = pinned.get(tool.name);
  if (now?.isThere === false) {
    throw new Unavailable('It has no such tool any more.');
  }
  if (!now?.approved || now.offered || !isDeepStrictEqual(now.approved, tool)) {
    throw new Unavailable(
      'It has changed this tool, and no administrator has looked at the change yet.',
    );
  }
}

const progressMs = 250;

/** Throttles progress to four updates a second; the first is immediate. */
function throttleProgress(progress: (text: string) => void): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (text) => {
    const now = performance.now();
    if (now - last >= progressMs) {
      last = now;
      progress(text);
    }
  };
}
