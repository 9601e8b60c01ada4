import type { PromptConfig } from '@knowhow/shared/chat/prompts';
import { type Localized, localize } from '@knowhow/shared/config/localized';
import {
  createMcpHandler,
  type GetPromptResult,
  McpServer,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type SkillSource, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { invalidCursorMessage } from '../../../platform/lib/cursors.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { SkillView } from '../../skills/index.ts';
import { listResources, serveSkills } from './serve-skills.ts';
import { callTool, listTools, type OwnTools } from './serve-tools.ts';

/** The skills and tools that the caller may currently use over MCP. */
export interface McpOffer extends PromptOffer {
  view: SkillView;
  /** Version of this server. */
  version: string;
  log: Log;
  /** Tools that the skills provide and the caller may use, by skill ID. */
  ownTools(): Promise<OwnTools>;
  /** Called after a call of a tool, and after `resources/read` with its `uri`. */
  called: (name: string, input: Record<string, unknown>, end: CallEnd) => Promise<void>;
}

interface CallEnd {
  isError: boolean;
  /** Duration in milliseconds. */
  ms: number;
}

const instructions =
  'Skills are instructions for tasks, written by the people of this organisation. Before a task, call search_skills with a few words; when one fits, call activate_skill with its name and follow it. Its files are read with read_skill_resource.';

/**
 * How long clients may cache an answer. Permissions can change at any time, so: briefly, and only
 * for the same caller.
 */
const cacheHint = { ttlMs: 30_000, cacheScope: 'private' } as const;

/**
 * Answers a Model Context Protocol request of either protocol era over streamable HTTP. Stateless:
 * nothing is stored between requests.
 *
 * @param body the parsed request body
 */
export async function answerMcp(
  request: Request,
  body: unknown,
  offer: McpOffer,
): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(offer), {
    // Lists are declared unchanging, so no subscriptions are needed.
    maxSubscriptions: 0,
    onerror: (error) => offer.log.debug({ error }, 'an MCP request was rejected'),
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
        const startedAt = performance.now();
        const result = await callTool(view, { name, input, signal: mcpReq.signal }, ownTools);
        const ms = performance.now() - startedAt;
        await called(name, input, { isError: result.isError === true, ms });
        return result;
      }),
  );
  const offer = { prompts, language };
  server.setRequestHandler('prompts/list', ({ params }) =>
    guard(() => {
      if (params?.cursor !== undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, invalidCursorMessage);
      }
      return { prompts: listPrompts(offer) };
    }),
  );
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
        const startedAt = performance.now();
        const found = await read(uri);
        const ms = performance.now() - startedAt;
        await called('resources/read', { uri }, { isError: found === undefined, ms });
        return found;
      }),
    readDirectory: (uri) => guard(() => readDirectory(uri)),
  };
}

type Guard = <Result>(act: () => Promise<Result> | Result) => Promise<Result>;

/** Runs a handler and hides the details of unexpected errors from the caller. */
function guardWith(log: Log): Guard {
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ProtocolError) {
        throw error;
      }
      log.error({ error }, 'an MCP request failed');
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        'Something went wrong on the server. Its log says what.',
      );
    }
  };
}

/** Prompts the caller may use, in their language. */
interface PromptOffer {
  prompts: readonly PromptConfig[];
  /** Such as `de`. */
  language: string;
}

/** Maximum length of a filled prompt: a placeholder may occur many times. */
const maxLength = 1_000_000;

function listPrompts({ prompts, language }: PromptOffer): Prompt[] {
  const text = (localized: Localized | undefined) => localize(localized, language);
  return prompts.map(({ id, name, description, variables = [] }) => ({
    name: id,
    title: text(name),
    // Some hosts require a description.
    description: text(description) || text(name),
    arguments: variables.map((variable) => ({
      name: variable.name,
      description: text(variable.label) || variable.name,
      required: variable.required ?? false,
    })),
  }));
}

/**
 * Fills a prompt's placeholders. Throws invalid params, with the same message whether it is missing
 * or forbidden.
 */
function getPrompt(
  { prompts, language }: PromptOffer,
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = prompts.find(({ id }) => id === name);
  if (!prompt) {
    throw invalid(`There is no prompt "${name}". Call prompts/list for those there are.`);
  }
  const values = new Map<string, string>();
  for (const { name: variable, required, defaultValue } of prompt.variables ?? []) {
    const value = Object.hasOwn(given, variable) ? given[variable] : undefined;
    const filled = value?.trim() ? value : localize(defaultValue, language);
    if (required && filled === '') {
      throw invalid(`"${variable}" is missing.`);
    }
    values.set(variable, filled);
  }
  const text = fill(localize(prompt.prompt, language), values);
  const description = localize(prompt.description ?? prompt.name, language);
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** In one pass, so that placeholders inside values are not filled. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  let remaining = maxLength;
  return text.replace(/\[(\w{1,50})\]/g, (written, name: string) => {
    const value = values.get(name) ?? written;
    remaining -= value.length;
    if (remaining < 0) {
      throw invalid(
        `The values are too long: with them the prompt has over ${maxLength} characters.`,
      );
    }
    return value;
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
