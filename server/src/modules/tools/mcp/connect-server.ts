import { type McpServer, replacedTransport } from '@knowhow/shared/config/mcp-config';
import { isRecord } from '@knowhow/shared/is-record';
import {
  Client,
  type ClientOptions,
  deserializeMessage,
  StreamableHTTPClientTransport,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { ignore } from '../../../platform/lib/ignore.ts';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import { withTimeout } from '../../../platform/lib/with-timeout.ts';
import { answerOne, callTool, noLimit } from './call-tool.ts';
import { getHttpStatus, Unavailable } from './describe-failure.ts';
import { guardMessages } from './guard-messages.ts';
import { withStepUp } from './oauth/step-up.ts';
import { resourceSession } from './offers/resource-session.ts';
import { readResource, resourceTool } from './offers/resource-tool.ts';
import type { Era, McpAuth, McpFetch, ServerSession, SessionCall } from './server-session.ts';
import { skillSession } from './skill-session.ts';
import { StdioTransport } from './stdio-transport.ts';

// The only file that loads the MCP library. It is imported lazily, on the first request to a
// server.

interface Options {
  server: McpServer;
  version: string;
  signal: AbortSignal;
  /** @param onExceeded called with a sentence when a response exceeds a limit */
  fetch: (onExceeded: (why: string) => void) => McpFetch;
  auth: McpAuth | undefined;
  /** Protocol era detected by an earlier connection. */
  verdict: Era | undefined;
  /** Environment and working directory of a stdio server. */
  child: { env: Record<string, string>; cwd: string };
  /** Called once if the connection ends unexpectedly, with the reason if known. */
  onClosed(why: string | undefined): void;
  /** Called with a sentence each time the server exceeds a limit. */
  onLimit(why: string): void;
  onToolsChanged(): void;
  onPromptsChanged(): void;
}

type Transport = StdioTransport | StreamableHTTPClientTransport;

const maxPages = 20;
const closeMs = 1500;
/** A server that does not answer the version probe in time is treated as legacy. */
const probeMs = 10_000;
/**
 * We validate arguments and results ourselves. A server's schemas are untrusted and may be
 * expensive to evaluate.
 */
const noValidation: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/**
 * Connects to a server. Throws if it is unreachable, or if `signal` is aborted before it answers.
 */
export async function connectServer(options: Options): Promise<ServerSession> {
  const { server, signal, verdict } = options;
  const first = open(options);
  try {
    await connect(first, { ...options, verdict });
    return sessionOf(first, options);
  } catch (error) {
    await first.close();
    const asking = { error, fetch: options.fetch(() => undefined), signal };
    if (server.kind === 'http' && (await usesDeprecatedTransport(server, asking))) {
      throw new Unavailable(replacedTransport);
    }
    // Some legacy servers exit on an unknown request. No other signal distinguishes them.
    if (server.kind === 'http' || verdict !== undefined || signal.aborted || !first.hasDied()) {
      throw withReason(error, first);
    }
  }
  const second = open(options);
  try {
    await connect(second, { ...options, verdict: { kind: 'legacy' } });
    return sessionOf(second, options);
  } catch (error) {
    await second.close();
    throw withReason(error, second);
  }
}

interface Opened {
  client: Client;
  transport: Transport;
  /** Calls in progress. */
  calls: Set<SessionCall>;
  isExclusive: boolean;
  /** From now on, the server gets one call at a time. */
  exclusively(): void;
  connected(): void;
  /** Why it ended unexpectedly; undefined while it is running. */
  whyEnded(): string | undefined;
  hasDied(): boolean;
  close(): Promise<void>;
}

/** The stderr of a dead process is often the only clue to the cause. */
function withReason(error: unknown, { transport }: Opened): unknown {
  if (!(transport instanceof StdioTransport)) {
    return error;
  }
  const said = transport.stderr.text;
  const why = transport.why === 'It was closed.' ? undefined : transport.why;
  const reason = [why, said === '' ? undefined : `It wrote: ${said}`].filter(Boolean).join(' ');
  return reason === '' ? error : new Error(reason, { cause: error });
}

function open(options: Options): Opened {
  const { version, onToolsChanged, onPromptsChanged, onClosed, onLimit } = options;
  const transport = transportOf(options);
  let flooded: string | undefined;
  if (transport instanceof StdioTransport) {
    transport.onrefused = onLimit;
  }
  guardMessages(transport, {
    schemas: specTypeSchemas,
    onRefused: onLimit,
    onFlood: (why) => {
      if (transport instanceof StdioTransport) {
        transport.refuse(why);
        return;
      }
      flooded = why;
      onLimit(why);
      // The request has already failed; errors while closing are irrelevant.
      transport.close().catch(ignore);
    },
  });
  const client = new Client(
    { name: 'knowhow', title: 'Knowhow', version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
      jsonSchemaValidator: noValidation,
      listMaxPages: maxPages,
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: { autoRefresh: false, onChanged: onToolsChanged },
        prompts: { autoRefresh: false, onChanged: onPromptsChanged },
      },
    },
  );
  let state: 'opening' | 'open' | 'closing' | 'closed' = 'opening';
  const whyClosed = () => (transport instanceof StdioTransport ? reasonOf(transport) : flooded);
  const opened: Opened = {
    client,
    transport,
    calls: new Set(),
    isExclusive: false,
    exclusively: () => {
      opened.isExclusive = true;
    },
    connected: () => {
      state = 'open';
    },
    whyEnded: () => (state === 'closed' ? whyClosed() : undefined),
    hasDied: () => transport instanceof StdioTransport && transport.pid === null,
    close: async () => {
      state = 'closing';
      if (transport instanceof StreamableHTTPClientTransport) {
        await withTimeout(closeMs, transport.terminateSession()).catch(() => undefined);
      }
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
  transport.onclose = () => {
    const wasOpen = state === 'open';
    state = state === 'closing' ? state : 'closed';
    if (wasOpen) {
      onClosed(whyClosed());
    }
  };
  // Ignored: errors that matter also end a call or the connection.
  client.onerror = () => undefined;
  client.setRequestHandler('elicitation/create', ({ params }) =>
    answerOne(opened.calls, params, opened.exclusively),
  );
  return opened;
}

function reasonOf(transport: StdioTransport): string {
  const said = transport.stderr.text;
  return [transport.why, said === '' ? '' : `It wrote: ${said}`].join(' ').trim();
}

function transportOf({ server, child, fetch, auth, onLimit }: Options): Transport {
  if (server.kind === 'stdio') {
    const { command, args } = server;
    return new StdioTransport({ command, args, ...child }, deserializeMessage);
  }
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: (url, init) => {
      const exceed = (why: string) => {
        onLimit(why);
        failRequest(transport, init?.body, why);
      };
      return fetch(exceed)(url, init);
    },
    requestInit: { headers: server.headers, redirect: 'manual' },
    ...(auth ? { authProvider: auth } : {}),
  });
  return transport;
}

/**
 * The library swallows errors that end a stream. Without this, the waiting request would hang until
 * its timeout.
 */
function failRequest(transport: Transport, body: unknown, why: string): void {
  const sent = typeof body === 'string' ? parseJson(body) : undefined;
  const id = isRecord(sent) ? sent.id : undefined;
  if (typeof id === 'number' || typeof id === 'string') {
    transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32603, message: why } });
  }
}

async function connect(
  opened: Opened,
  { server, signal, verdict }: Pick<Options, 'server' | 'signal' | 'verdict'>,
): Promise<void> {
  const { client, transport } = opened;
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    signal.aborted ? stop() : signal.addEventListener('abort', stop, { once: true });
  });
  const connecting = client.connect(transport, {
    timeout: server.limits.connectMs,
    ...(verdict ? { prior: verdict } : {}),
  });
  // Avoids an unhandled rejection: `connect` also rejects after closing.
  connecting.catch(() => undefined);
  await Promise.race([connecting, stopped]);
  opened.connected();
}

function sessionOf(opened: Opened, { auth }: Pick<Options, 'auth'>): ServerSession {
  const { client, transport } = opened;
  const discover = client.getDiscoverResult();
  const verdict: Era = discover ? { kind: 'modern', discover } : { kind: 'legacy' };
  let readsResources = false;
  let turn: Promise<unknown> = Promise.resolve();
  const run = async (call: SessionCall) => {
    opened.calls.add(call);
    try {
      return await withStepUp(auth, () =>
        readsResources && call.name === resourceTool.name
          ? readResource(client, call.input, { signal: call.signal, timeout: noLimit })
          : callTool(client, call),
      );
    } catch (error) {
      const why = call.signal.aborted ? undefined : opened.whyEnded();
      throw why === undefined ? error : new Unavailable(why);
    } finally {
      opened.calls.delete(call);
    }
  };
  return {
    era: client.getProtocolEra() ?? 'legacy',
    verdict: transport instanceof StdioTransport ? verdict : undefined,
    listTools: async (signal, timeout) => {
      const tools = await withStepUp(auth, () => listTools(client, { signal, timeout }));
      readsResources =
        client.getServerCapabilities()?.resources !== undefined &&
        !tools.some(({ name }) => name === resourceTool.name);
      return readsResources ? [...tools, resourceTool] : tools;
    },
    listPrompts: async (signal, timeout) => {
      if (!client.getServerCapabilities()?.prompts) {
        return [];
      }
      const options = listing({ signal, timeout });
      return (await withStepUp(auth, () => client.listPrompts(undefined, options))).prompts;
    },
    getPrompt: (name, values, signal) =>
      withStepUp(auth, () =>
        client.getPrompt({ name, arguments: values }, { signal, timeout: noLimit }),
      ),
    resources: resourceSession(client, (request) => withStepUp(auth, request)),
    skills: skillSession(client),
    call: (call) => {
      if (!opened.isExclusive) {
        return run(call);
      }
      const next = turn.then(() => run(call));
      turn = next.catch(() => undefined);
      return next;
    },
    close: opened.close,
  };
}

interface Waiting {
  signal: AbortSignal;
  /** In milliseconds. */
  timeout: number;
}

function listing({ signal, timeout }: Waiting) {
  return { signal, timeout, maxTotalTimeout: timeout, cacheMode: 'bypass' } as const;
}

async function listTools(client: Client, waiting: Waiting): Promise<{ name: string }[]> {
  const hasTools = client.getServerCapabilities()?.tools !== undefined;
  return hasTools ? (await client.listTools(undefined, listing(waiting))).tools : [];
}

/** How a server of the deprecated transport may answer a POST to its stream URL. */
const refusals: readonly (number | undefined)[] = [400, 404, 405];

const waitMs = 3000;

const maxCharacters = 4096;

/**
 * Whether a server that rejected the first message speaks the deprecated HTTP+SSE transport (MCP
 * 2024-11-05), which answers a GET with an `endpoint` event. The specification asks clients to try
 * this.
 */
async function usesDeprecatedTransport(
  server: Extract<McpServer, { kind: 'http' }>,
  { error, fetch, signal }: { error: unknown; fetch: McpFetch; signal: AbortSignal },
): Promise<boolean> {
  if (!refusals.includes(getHttpStatus(error))) {
    return false;
  }
  const controller = new AbortController();
  const timeout = AbortSignal.timeout(waitMs);
  try {
    const answer = await fetch(server.url, {
      headers: { ...server.headers, accept: 'text/event-stream' },
      signal: AbortSignal.any([controller.signal, timeout, signal]),
      redirect: 'manual',
    });
    const isStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
    return answer.ok && isStream && answer.body ? await streamsEndpoint(answer.body) : false;
  } catch {
    return false;
  } finally {
    controller.abort();
  }
}

async function streamsEndpoint(body: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (/^event:\s*endpoint\s*$/m.test(text.slice(0, maxCharacters))) {
      return true;
    }
    if (text.length > maxCharacters) {
      return false;
    }
  }
  return false;
}
