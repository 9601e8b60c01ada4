import { isRecord } from '@knowhow/shared/is-record';
import { localize } from '@knowhow/shared/localized';
import type { McpServer } from '@knowhow/shared/mcp-config';
import type { ToolResult } from '../tools/tool.ts';
import type { SourceTool, ToolCall, ToolSource } from '../tools/tool-source.ts';
import { type CallDeadline, callDeadline } from './call-deadline.ts';
import type { Connection } from './connection.ts';
import { describeFailure, Unavailable } from './describe-failure.ts';
import { digestOf, type ListedTool } from './read-tools.ts';
import { type PinnedTools, usableTools } from './tool-pins.ts';
import { toolResult } from './tool-result.ts';

interface Options {
  server: McpServer;
  connection: Pick<Connection, 'state' | 'use'>;
  pinned: () => PinnedTools;
  /** Called when somebody could use its tools: what is not known yet is asked for, behind their back. */
  wanted: () => void;
}

const none: readonly SourceTool[] = [];

/** The tools of a server as a source of tools: those that are known, without asking it. */
export function serverSource({ server, connection, pinned, wanted }: Options): ToolSource {
  let made: { from: PinnedTools; tools: readonly SourceTool[] } | undefined;
  const tools = () => {
    const from = pinned();
    if (made?.from !== from) {
      const usable = usableTools(from).filter(({ name }) => isChosen(name, server));
      made = { from, tools: usable.map((tool) => sourceTool(tool, options)) };
    }
    return made.tools;
  };
  const options = { server, connection, pinned };
  return {
    id: server.id,
    title: titleOf(server),
    kind: 'mcp',
    list: async ({ caller }) => {
      const { groups } = server;
      if (groups && !groups.some((group) => caller.groups.includes(group))) {
        return none;
      }
      wanted();
      return tools();
    },
    state: () => connection.state,
  };
}

export function titleOf({ title }: McpServer): string {
  return localize(title, 'en').slice(0, 200);
}

function isChosen(name: string, { tools, excludedTools }: McpServer): boolean {
  const matches = (pattern: string) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
  return tools.some(matches) && !excludedTools.some(matches);
}

type CallOptions = Pick<Options, 'server' | 'connection' | 'pinned'>;

function sourceTool(tool: ListedTool, options: CallOptions): SourceTool {
  const { name, title, description, parameters } = tool;
  const hints = hintsOf(tool, options.server);
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    parameters,
    hints,
    consent: options.server.consent ?? (hints.readOnly ? 'never' : 'ask'),
    run: (input, call) => runTool(tool, isRecord(input) ? input : {}, call, options),
  };
}

/** What a server says of its own tools is believed where it is trusted; else the worst is assumed. */
function hintsOf({ annotations }: ListedTool, { trusted }: McpServer): SourceTool['hints'] {
  const { readOnly = false, destructive = true, openWorld = true } = annotations;
  return trusted
    ? { readOnly, destructive: destructive && !readOnly, openWorld }
    : { readOnly: false, destructive: true, openWorld: true };
}

async function runTool(
  tool: ListedTool,
  input: Record<string, unknown>,
  call: ToolCall,
  { server, connection, pinned }: CallOptions,
): Promise<ToolResult> {
  const deadline = callDeadline(server.limits, call.signal);
  const progress = atMostOften(call.progress);
  try {
    const answer = await connection.use(async (session) => {
      // It may have been asked for its tools only just now.
      refuseChanged(tool, pinned());
      deadline.extend();
      return session.call({
        name: tool.name,
        input,
        parameters: tool.parameters,
        deadline,
        progress,
        ask: (question) =>
          call.ask({ ...question, message: `${titleOf(server)}: ${question.message}` }),
      });
    }, deadline.signal);
    return toolResult(answer);
  } catch (error) {
    return failed(error, deadline, server);
  } finally {
    deadline.clear();
  }
}

function refuseChanged(tool: ListedTool, pinned: PinnedTools): void {
  const now = pinned.get(tool.name);
  const isSame = now?.approved && !now.offered && now.isThere;
  if (!isSame || digestOf(now.approved ?? tool) !== digestOf(tool)) {
    throw new Unavailable(
      now?.isThere === false
        ? 'It has no such tool any more.'
        : 'It has changed this tool, and nobody has looked at the change yet.',
    );
  }
}

function failed(error: unknown, { why }: CallDeadline, server: McpServer): ToolResult {
  const seconds = (ms: number) => `${Math.round(ms / 1000)} seconds`;
  const title = titleOf(server);
  switch (why) {
    case 'stopped':
      return refused('The call was stopped by the user.', 'stopped');
    case 'no-progress':
      return refused(
        `The tool has not answered within ${seconds(server.limits.callMs)}, and was stopped. Ask it for less, or go on without it.`,
        'no answer in time',
      );
    case 'too-long':
      return refused(
        `The tool took longer than ${seconds(server.limits.maxCallMs)}, and was stopped. Ask it for less, or go on without it.`,
        'no answer in time',
      );
    default:
      return refused(
        `${title} could not do this. ${describeFailure(error).message} Try something else, or go on without it.`,
        'failed',
      );
  }
}

function refused(content: string, summary: string): ToolResult {
  return { content, isError: true, summary };
}

const progressMs = 250;

/** Gives on at most four texts a second; the first at once. */
function atMostOften(progress: (text: string) => void): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (text) => {
    const now = performance.now();
    if (now - last >= progressMs) {
      last = now;
      progress(text);
    }
  };
}
