import type { LookupFunction } from 'node:net';
import type { Agent, Response as UndiciResponse } from 'undici';
import { getErrorMessage } from './get-error-message.ts';
import type { Log } from './log.ts';
import { boundedResponse } from './outbound/bounded-response.ts';
import {
  type OutboundLimits,
  type OutboundWatch,
  watchOutbound,
} from './outbound/outbound-limits.ts';
import {
  OutboundRefused,
  type OutboundRules,
  outboundRules,
  targetOf,
} from './outbound/outbound-rules.ts';

/** Outgoing HTTP for tools (other sites, MCP servers and their sign-in), guarded against SSRF. */
export interface GuardedFetch {
  /**
   * `fetch` that throws `OutboundRefused` for forbidden requests, and `TypeError` for unreachable
   * hosts.
   */
  fetch: typeof fetch;
  /** The same with other limits. */
  within(limits: Partial<OutboundLimits>): typeof fetch;
  close(): Promise<void>;
}

interface Options {
  /** Current allowlist of private hosts: `outbound.allowPrivate` of `platform.json`. */
  allowPrivate: () => readonly string[];
  /** DNS lookup; replaceable in tests. */
  find?: LookupFunction;
  /** Logs each request at `debug`, without its path, which may contain secrets. */
  log?: Log;
}

type Input = Parameters<typeof fetch>[0];

interface Outgoing {
  url: URL;
  method: string;
  headers: Headers;
  body: Uint8Array | undefined;
}

const defaultLimits: OutboundLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  totalMs: 60_000,
  maxBytes: 10 * 1024 * 1024,
  maxRedirects: 5,
  streams: false,
};

/** Headers forwarded to another origin on redirect: no credentials or cookies. */
const crossOriginHeaders = ['accept', 'accept-language', 'content-type', 'user-agent'];

/** Loads its library and opens connections lazily. */
export function createGuardedFetch({ allowPrivate, find, log }: Options): GuardedFetch {
  let agents: Record<number, Agent> = {};
  const rules = () => outboundRules(allowPrivate(), find);
  const within =
    (changed: Partial<OutboundLimits>): typeof fetch =>
    async (input, init) => {
      const limits = { ...defaultLimits, ...changed };
      const { Agent, buildConnector, fetch: send } = await import('undici');
      agents[limits.connectMs] ??= createAgent(limits.connectMs, { Agent, buildConnector, rules });
      const dispatcher = agents[limits.connectMs] as Agent;
      const request = await outgoingOf(input, init);
      const watch = watchOutbound(limits, init?.signal ?? signalOf(input), request.url.host);
      const ask: Ask = ({ url, headers, ...rest }) => {
        const options = { redirect: 'manual', signal: watch.signal, dispatcher } as const;
        return send(url, { ...rest, ...options, headers: [...headers] });
      };
      const askLogged = log ? logAnswers(ask, log) : ask;
      const { redirect } = init ?? {};
      return follow(request, { ask: askLogged, watch, limits, rules: rules(), redirect });
    };
  const close = async () => {
    const open = Object.values(agents);
    agents = {};
    await Promise.all(open.map((agent) => agent.destroy()));
  };
  return { fetch: within({}), within, close };
}

type Ask = (request: Outgoing) => Promise<UndiciResponse>;

function logAnswers(ask: Ask, log: Log): Ask {
  return async (request) => {
    const { url, method } = request;
    const startedAt = performance.now();
    const line = () => ({ method, host: url.host, ms: Math.round(performance.now() - startedAt) });
    log.trace({ method, host: url.host }, 'outgoing request started');
    try {
      const answer = await ask(request);
      log.debug({ ...line(), status: answer.status }, 'outgoing request');
      return answer;
    } catch (error) {
      log.debug({ ...line(), error }, 'outgoing request failed');
      throw error;
    }
  };
}

interface Following {
  ask: Ask;
  watch: OutboundWatch;
  limits: OutboundLimits;
  rules: OutboundRules;
  redirect: RequestInit['redirect'];
}

async function follow(first: Outgoing, following: Following): Promise<Response> {
  const { ask, watch, limits, rules, redirect } = following;
  let request = first;
  try {
    for (let hops = 0; ; hops += 1) {
      limits.checkAddress?.(request.url);
      checkTarget(request.url, rules);
      watch.expectHeaders(request.url.host);
      const answer = await ask(request);
      const location = redirectOf(answer);
      if (location === null || redirect === 'manual') {
        return boundedResponse(answer, { url: request.url, watch, limits });
      }
      await answer.body?.cancel();
      if (hops >= limits.maxRedirects || redirect === 'error') {
        const maxRedirects = redirect === 'error' ? 0 : limits.maxRedirects;
        const text = `${first.url.host} redirects more than ${maxRedirects} times.`;
        throw new OutboundRefused('redirect', text);
      }
      request = redirected(request, location, answer.status);
    }
  } catch (error) {
    watch.end();
    throw failureOf(error, watch.signal, request.url);
  }
}

/** Checks made before sending; addresses of host names are checked on connect. */
function checkTarget(url: URL, rules: OutboundRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefused('protocol', `${url.protocol} is not followed: only http and https.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused(
      'address',
      `The address of ${url.host} has a name or password in it.`,
    );
  }
  rules.checkHost(targetOf(url));
}

function redirectOf(answer: UndiciResponse): string | null {
  return [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.get('location') : null;
}

function redirected(from: Outgoing, location: string, status: number): Outgoing {
  if (!URL.canParse(location, from.url.href)) {
    throw new OutboundRefused('redirect', `${from.url.host} redirects to no address.`);
  }
  const url = new URL(location, from.url.href);
  const isKept = status === 307 || status === 308 || ['GET', 'HEAD'].includes(from.method);
  const request = isKept
    ? { ...from, url }
    : { url, method: 'GET', headers: without(from.headers, 'content-type'), body: undefined };
  if (url.origin === from.url.origin) {
    return request;
  }
  if (request.body) {
    const text = `${from.url.host} redirects what was sent to it to ${url.host}: that is not followed.`;
    throw new OutboundRefused('redirect', text);
  }
  return { ...request, headers: only(request.headers, crossOriginHeaders) };
}

async function outgoingOf(input: Input, init: RequestInit = {}): Promise<Outgoing> {
  const given: RequestInit & { url?: string } = input instanceof Request ? input : {};
  const payload = new Response(init.body ?? given.body ?? null);
  const headers = new Headers(init.headers ?? given.headers ?? {});
  const type = payload.headers.get('content-type');
  if (type !== null && !headers.has('content-type')) {
    headers.set('content-type', type);
  }
  if (!headers.has('user-agent')) {
    headers.set('user-agent', 'knowhow');
  }
  const bytes = payload.body ? new Uint8Array(await payload.arrayBuffer()) : undefined;
  return {
    url: new URL(given.url ?? String(input)),
    method: (init.method ?? given.method ?? 'GET').toUpperCase(),
    headers: without(headers, 'host'),
    body: bytes,
  };
}

function signalOf(input: Input): AbortSignal | undefined {
  return input instanceof Request ? input.signal : undefined;
}

function only(headers: Headers, names: readonly string[]): Headers {
  return new Headers([...headers].filter(([name]) => names.includes(name)));
}

function without(headers: Headers, name: string): Headers {
  return new Headers([...headers].filter(([each]) => each !== name));
}

interface Connecting {
  Agent: typeof Agent;
  buildConnector: typeof import('undici').buildConnector;
  rules: () => OutboundRules;
}

/**
 * Connects to the very address that was checked, without a second lookup: guards against DNS
 * rebinding.
 */
function createAgent(timeout: number, { Agent, buildConnector, rules }: Connecting): Agent {
  return new Agent({
    connect: (options, callback) => {
      const target = targetOf(options);
      try {
        rules().checkHost(target);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      buildConnector({ timeout, lookup: rules().lookupFor(target) } as never)(options, callback);
    },
    // Timeouts are enforced by the watch.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Unwraps the reason from the generic `TypeError` of `fetch`. */
function failureOf(error: unknown, signal: AbortSignal, { host }: URL): unknown {
  if (signal.aborted) {
    return signal.reason;
  }
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof OutboundRefused || cause instanceof OutboundRefused) {
    return error instanceof OutboundRefused ? error : cause;
  }
  const code =
    cause instanceof Error && 'code' in cause ? String(cause.code) : getErrorMessage(cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundRefused('time', `${host} could not be connected to in time.`);
  }
  return cause === undefined ? error : new TypeError(`${host} does not answer: ${code}`, { cause });
}
