import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { SourceState } from '../tool-source.ts';
import { describeFailure, isStaleSession, Unavailable } from './describe-failure.ts';
import { signInNote } from './oauth/sign-in-servers.ts';
import type { Era, ServerSession } from './server-session.ts';

/** Events of a connection, and how to open one. */
export interface ConnectionEvents {
  /** Opens a session; called again after the previous one has ended. */
  open(options: {
    signal: AbortSignal;
    verdict: Era | undefined;
    onClosed(why: string | undefined): void;
    onLimit(why: string): void;
    onToolsChanged(): void;
  }): Promise<ServerSession>;
  /** The server's tools have been listed; resolves once they are processed. */
  onListed(listed: readonly unknown[]): Promise<void>;
  onFailed(failure: Unavailable): void;
  /** The server exceeded a limit; the affected request has failed. */
  onLimit(why: string): void;
}

/** A connection that ends sooner than this counts as failed, even if it had answered. */
const minLifetimeMs = 10_000;
/** Debounce for a tool list that keeps changing. */
const relistMs = 1000;

/**
 * A lazily opened connection to a server, kept open while it is used. An unreachable server is
 * retried with exponential backoff; until then every use fails immediately.
 */
export class Connection {
  readonly #server: McpServer;
  readonly #events: ConnectionEvents;
  #session: ServerSession | undefined;
  #opening: Promise<ServerSession> | undefined;
  readonly #closing = new AbortController();
  readonly #era = new ProtocolVersionCache();
  #failures = 0;
  #notBefore = 0;
  #openedAt = 0;
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;
  #relist: NodeJS.Timeout | undefined;
  #state: SourceState = { status: 'idle' };

  constructor(server: McpServer, events: ConnectionEvents) {
    this.#server = server;
    this.#events = events;
  }

  get state(): SourceState {
    const message = getUnusableReason(this.#server);
    return message === undefined ? this.#state : { status: 'failed', message };
  }

  get era(): ServerSession['era'] | undefined {
    return this.#session?.era;
  }

  /**
   * Runs a function with an open session, and retries once with a new session if the server no
   * longer knows the old one. Throws `Unavailable` if no session can be opened.
   *
   * @param signal aborts waiting for the connection, not connecting itself
   */
  async use<Result>(
    run: (session: ServerSession) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    this.#uses += 1;
    clearTimeout(this.#idle);
    try {
      const session = await this.#get(signal);
      try {
        return await run(session);
      } catch (error) {
        if (this.#server.kind !== 'http' || !isStaleSession(error) || signal.aborted) {
          throw error;
        }
      }
      await this.#drop(session);
      return await run(await this.#get(signal));
    } finally {
      this.#uses -= 1;
      this.#closeWhenIdle();
    }
  }

  /** Connects and lists the tools, unless the server is backing off. Never throws. */
  async wake(): Promise<void> {
    await this.use(async () => undefined, this.#closing.signal).catch(() => undefined);
  }

  /** Like `wake`, but ignores the backoff. */
  async retry(): Promise<void> {
    this.#notBefore = 0;
    if (this.#session) {
      await this.#drop(this.#session);
    }
    await this.wake();
  }

  /** Closes the connection permanently. Resolves once everything is released. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#relist);
    this.#closing.abort(new Unavailable('It is no longer configured.'));
    await this.#opening?.catch(() => undefined);
    await this.#session?.close();
    this.#session = undefined;
  }

  async #get(signal: AbortSignal): Promise<ServerSession> {
    if (this.#session) {
      return this.#session;
    }
    this.#closing.signal.throwIfAborted();
    const unusableReason = getUnusableReason(this.#server);
    if (unusableReason !== undefined) {
      throw new Unavailable(unusableReason);
    }
    if (!this.#opening) {
      if (performance.now() < this.#notBefore) {
        throw new Unavailable(this.#state.message ?? 'It cannot be reached.');
      }
      this.#opening = this.#open().finally(() => {
        this.#opening = undefined;
      });
      this.#opening.catch(() => undefined);
    }
    return unlessAborted(this.#opening, signal);
  }

  async #open(): Promise<ServerSession> {
    this.#setState({ status: 'connecting' });
    const { connectMs } = this.#server.limits;
    const deadline = AbortSignal.timeout(connectMs);
    const signal = AbortSignal.any([this.#closing.signal, deadline]);
    let session: ServerSession | undefined;
    try {
      session = await this.#events.open({
        signal,
        verdict: this.#era.known(),
        onClosed: (why) => this.#ended(why),
        onLimit: (why) => {
          this.#events.onLimit(why);
          this.#setState({ ...this.#state, message: why });
        },
        onToolsChanged: () => this.#listLater(),
      });
      await this.#events.onListed(
        await unlessAborted(session.listTools(signal, connectMs), signal),
      );
    } catch (error) {
      await session?.close();
      this.#era.keep(undefined);
      const seconds = Math.round(connectMs / 1000);
      const timeoutMessage = `It has not answered within ${seconds} seconds.`;
      throw this.#fail(deadline.aborted ? new Unavailable(timeoutMessage) : describeFailure(error));
    }
    this.#session = session;
    this.#era.keep(session.verdict);
    this.#failures = 0;
    this.#openedAt = performance.now();
    this.#setState({ status: 'ready' });
    this.#closeWhenIdle();
    return session;
  }

  #fail(failure: Unavailable): Unavailable {
    if (this.#closing.signal.aborted) {
      return failure;
    }
    // After signing in, users should not have to wait for the backoff.
    if (!failure.needsSignIn) {
      this.#failures += 1;
      this.#notBefore = performance.now() + getBackoffMs(this.#failures);
    }
    this.#setState(
      failure.needsSignIn
        ? { status: 'sign-in', message: signInNote(this.#server) }
        : { status: 'failed', message: failure.message },
    );
    this.#events.onFailed(failure);
    return failure;
  }

  /**
   * The session ended unexpectedly. The next use opens another, after a backoff if it was
   * short-lived.
   */
  #ended(why: string | undefined): void {
    this.#session = undefined;
    if (performance.now() - this.#openedAt < minLifetimeMs) {
      this.#fail(new Unavailable(why ?? 'It has closed the connection.'));
      return;
    }
    this.#setState({ status: 'idle', ...(why === undefined ? {} : { message: why }) });
  }

  async #drop(session: ServerSession): Promise<void> {
    if (this.#session === session) {
      this.#session = undefined;
      this.#setState({ status: 'idle' });
    }
    await session.close();
  }

  #listLater(): void {
    this.#relist ??= setTimeout(() => {
      this.#relist = undefined;
      this.use(async (session) => {
        const { signal } = this.#closing;
        await this.#events.onListed(await session.listTools(signal, this.#server.limits.connectMs));
      }, this.#closing.signal).catch(() => undefined);
    }, relistMs);
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#uses === 0 && this.#session) {
      this.#idle = setTimeout(() => {
        const session = this.#session;
        if (session && this.#uses === 0) {
          this.#drop(session).catch(ignore);
        }
      }, this.#server.limits.idleMs);
      this.#idle.unref();
    }
  }

  #setState(state: SourceState): void {
    this.#state = { ...state, since: new Date().toISOString() };
  }
}

/** Rejects as soon as the signal is aborted; the awaited promise itself continues. */
async function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** After this time, a server's protocol era is detected again. */
const ttlMs = 24 * 60 * 60_000;

/** Caches the detected protocol era of a stdio server. */
class ProtocolVersionCache {
  #found: { era: Era; at: number } | undefined;

  keep(era: Era | undefined): void {
    this.#found = era && { era, at: Date.now() };
  }

  known(): Era | undefined {
    return this.#found && Date.now() - this.#found.at < ttlMs ? this.#found.era : undefined;
  }
}

const firstMs = 1000;

const maxMs = 5 * 60_000;

/**
 * Jitter: shortens a wait by up to this share, so that servers that failed together do not
 * reconnect in lockstep.
 */
const jitter = 0.5;

/**
 * Exponential backoff in milliseconds after this many consecutive failures: doubles up to five
 * minutes, minus random jitter of up to half.
 */
function getBackoffMs(failures: number): number {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
  return whole * (1 - jitter * Math.random());
}

/** An unresolved environment variable in the configuration. */
const unfilled = /\$\{([A-Z][A-Z0-9_]*)\}/;

/** Why a server's configuration is unusable, in sentences; undefined if it is fine. */
function getUnusableReason(server: McpServer): string | undefined {
  if (server.unusable !== undefined) {
    return server.unusable;
  }
  const values =
    server.kind === 'http'
      ? [server.url, ...Object.values(server.headers)]
      : Object.values(server.env);
  const name = values.map((value) => unfilled.exec(value)?.[1]).find((found) => found);
  return name === undefined
    ? undefined
    : `The variable ${name}, which mcp.json names, is not set or may not be read.`;
}
