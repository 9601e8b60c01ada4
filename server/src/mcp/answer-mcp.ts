import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type SkillSource, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { Log } from '../lib/log.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { getPrompt, listPrompts, type PromptOffer } from './serve-prompts.ts';
import { listResources, serveSkills } from './serve-skills.ts';
import { callTool, listTools, type OwnTools } from './serve-tools.ts';

/** What somebody may have over MCP, as things are now. */
export interface McpOffer extends PromptOffer {
  view: SkillView;
  /** Of this server. */
  version: string;
  log: Log;
  /** The tools that the skills bring and the caller may use, by the id of the skill. */
  ownTools(): Promise<OwnTools>;
  /** Called after a call of a tool, and after `resources/read` with its `uri`. */
  called: (name: string, input: Record<string, unknown>, end: CallEnd) => Promise<void>;
}

interface CallEnd {
  isError: boolean;
  /** How long it took, in milliseconds. */
  ms: number;
}

const instructions =
  'Skills are instructions for tasks, written by the people of this organisation. Before a task, call search_skills with a few words; when one fits, call activate_skill with its name and follow it. Its files are read with read_skill_resource.';

/** How long an answer may be kept. Rights may change at any time: not long, and by nobody but its caller. */
const cacheHint = { ttlMs: 30_000, cacheScope: 'private' } as const;

/**
 * Answers a request of the Model Context Protocol, of either era, by streamable HTTP. Nothing is kept from
 * one request to the next.
 *
 * @param body what the request holds, parsed
 */
export async function answerMcp(
  request: Request,
  body: unknown,
  offer: McpOffer,
): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(offer), {
    // Nothing is said to change, so there is nothing to wait for.
    maxSubscriptions: 0,
    onerror: (error) => offer.log.debug({ error }, 'a request of MCP was refused'),
  });
  return handler.fetch(request, { parsedBody: body });
}

function serverFor({
  view,
  prompts,
  language,
  version,
  log,
  ownTools,
  called,
}: McpOffer): McpServer {
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  const mcp = new McpServer(
    { name: 'knowhow', title: 'Knowhow', version },
    {
      capabilities: { tools: unchanging, prompts: unchanging, resources: unchanging },
      instructions,
      cacheHints: Object.fromEntries(lists.map((list) => [list, cacheHint])),
    },
  );
  const guard = guardWith(log);
  new SkillsExtension({
    source: guardedSkills(view, { guard, called }),
    cacheHint,
    strict: true,
  }).attach(mcp);
  const { server } = mcp;
  server.setRequestHandler('tools/list', ({ params }) =>
    guard(async () => listTools(view, await ownTools(), params?.cursor)),
  );
  server.setRequestHandler(
    'tools/call',
    ({ params: { name, arguments: input = {} } }, { mcpReq }) =>
      guard(async () => {
        const begun = performance.now();
        const result = await callTool(view, { name, input, signal: mcpReq.signal }, ownTools);
        const ms = performance.now() - begun;
        await called(name, input, { isError: result.isError === true, ms });
        return result;
      }),
  );
  const offer = { prompts, language };
  server.setRequestHandler('prompts/list', () => guard(() => ({ prompts: listPrompts(offer) })));
  server.setRequestHandler('prompts/get', ({ params }) =>
    guard(() => getPrompt(offer, params.name, params.arguments)),
  );
  server.setRequestHandler('resources/list', ({ params }) =>
    guard(() => listResources(view, params?.cursor)),
  );
  return mcp;
}

const unchanging = { listChanged: false };

function guardedSkills(
  view: SkillView,
  { guard, called }: Pick<McpOffer, 'called'> & { guard: Guard },
): SkillSource {
  const { list, get, read, readDirectory } = serveSkills(view);
  return {
    list: ({ cursor }) => guard(() => list(cursor)),
    get: (uri) => guard(() => get(uri)),
    read: (uri) =>
      guard(async () => {
        const begun = performance.now();
        const found = await read(uri);
        const ms = performance.now() - begun;
        await called('resources/read', { uri }, { isError: found === undefined, ms });
        return found;
      }),
    readDirectory: (uri) => guard(() => readDirectory(uri)),
  };
}

type Guard = <Result>(act: () => Promise<Result> | Result) => Promise<Result>;

/** Does something; nobody outside reads a word of an error that is not meant for them. */
function guardWith(log: Log): Guard {
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ProtocolError) {
        throw error;
      }
      log.error({ error }, 'a request of MCP failed');
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        'Something went wrong on the server. Its log says what.',
      );
    }
  };
}
