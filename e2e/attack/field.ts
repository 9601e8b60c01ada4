import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Helper } from '../bench/stand.ts';
import type { ScriptedProvider } from '../scripted-provider.ts';
import { adminPassword, type Knowhow } from '../start-knowhow.ts';
import { type HttpAnswer, type HttpRequest, send } from './send.ts';

export type CallerName = 'anonymous' | 'user' | 'admin';
export const callerNames: CallerName[] = ['anonymous', 'user', 'admin'];

export const userPassword = 'quiet otters drum at noon';

export interface FieldOptions {
  seed: number;
  isShort: boolean;
  /** Number of generated inputs, for attacks that use them. */
  inputs: number;
  /** Multiplies every time limit. */
  patience: number;
}

interface AskOptions {
  as?: CallerName | undefined;
  timeoutMs?: number | undefined;
  /** The connection may break: the request is cut off, or larger than the server reads. */
  mayBreak?: boolean;
  /** How to replay it, if the request does not show that. */
  replay?: string | undefined;
}

/** Ends the attack: the server has exited or stopped responding. */
export class AttackOver extends Error {}

const answerWithinMs = 10_000;
/** Maximum timeouts before the server counts as hung. */
const maxUnanswered = 3;
const shownBytes = 300;

/** A server under attack: sends requests and records violations. */
export class Field {
  readonly knowhow: Knowhow;
  readonly provider: ScriptedProvider;
  readonly options: FieldOptions;
  readonly failures: string[] = [];
  /** Its hostile remote runner, if any. */
  runner: Helper | undefined;
  requests = 0;
  private readonly cookies = new Map<CallerName, string>();
  private readonly agents = new Map<string, Agent>();
  private endsAt = Number.POSITIVE_INFINITY;
  private unanswered = 0;

  constructor(knowhow: Knowhow, provider: ScriptedProvider, options: FieldOptions) {
    this.knowhow = knowhow;
    this.provider = provider;
    this.options = options;
  }

  /** Signs in all callers: a visitor, a newly created user, and the administrator. */
  async signInAll(): Promise<void> {
    const me = await this.ask({ method: 'GET', path: '/api/auth/me' });
    this.cookies.set('anonymous', cookieOf(me));
    this.cookies.set('admin', cookieOf(await this.signInAdmin()));
    const groups = ['users'];
    const user = { username: 'mallory', name: 'Mallory', groups, password: userPassword };
    const created = await this.askJson('POST', '/api/admin/users', user, { as: 'admin' });
    if (created.status !== 200) {
      throw new Error(`No user could be created: ${created.status} ${created.body}`);
    }
    this.cookies.set('user', cookieOf(await this.signIn('mallory', userPassword)));
  }

  /** Resets the counters of the previous attack. */
  begin(milliseconds: number): void {
    this.failures.length = 0;
    this.requests = 0;
    this.unanswered = 0;
    this.endsAt = Date.now() + milliseconds;
  }

  /** Whether the time of this attack is over. */
  get isOver(): boolean {
    return Date.now() > this.endsAt;
  }

  signIn(username: string, password: string, from?: string): Promise<HttpAnswer> {
    const request = { username, password };
    return this.askJson('POST', '/api/auth/login', request, { from, timeoutMs: 20_000 });
  }

  /** A ready server may still be creating the first administrator. */
  private async signInAdmin(): Promise<HttpAnswer> {
    const deadline = Date.now() + 5000;
    for (;;) {
      const answer = await this.signIn('admin', adminPassword);
      if (answer.status === 200 || Date.now() > deadline) {
        return answer;
      }
      await wait(200);
    }
  }

  askJson(
    method: string,
    path: string,
    body: unknown,
    { from, ...options }: AskOptions & { from?: string | undefined } = {},
  ): Promise<HttpAnswer> {
    const headers = { 'content-type': 'application/json' };
    const request = { method, path, headers, body: JSON.stringify(body) };
    return this.ask(from === undefined ? request : { ...request, from }, options);
  }

  /** Sends a request and checks the invariants of every response. Status 0 means no response. */
  async ask(request: HttpRequest, options: AskOptions = {}): Promise<HttpAnswer> {
    this.assertRunning();
    this.requests += 1;
    const { as, timeoutMs = answerWithinMs, mayBreak = false } = options;
    const cookie = as === undefined ? undefined : this.cookies.get(as);
    const headers = {
      // Node uses chunked encoding with methods that rarely have a body, unless the length is set.
      ...(request.body === undefined ? {} : { 'content-length': String(byteLength(request.body)) }),
      ...(cookie === undefined ? {} : { cookie, origin: this.knowhow.url }),
      ...request.headers,
    };
    const agent = this.getAgent(request.from ?? '127.0.0.1');
    try {
      const answer = await send(
        this.knowhow.url,
        { ...request, headers },
        { agent, timeoutMs: timeoutMs * this.options.patience },
      );
      this.checkResponse(answer, request, options);
      return answer;
    } catch (error) {
      this.checkBreak(error as Error, request, options, mayBreak);
      return { status: 0, headers: {}, body: Buffer.alloc(0) };
    }
  }

  /** Records a violation. */
  fail(what: string): void {
    this.failures.push(what);
  }

  check(holds: boolean, what: string): void {
    if (!holds) {
      this.fail(what);
    }
  }

  /** Closes all client connections, so that remaining ones are leaks of the server. */
  closeConnections(): void {
    for (const agent of this.agents.values()) {
      agent.destroy();
    }
    this.agents.clear();
  }

  getCookie(caller: CallerName): string {
    return this.cookies.get(caller) ?? '';
  }

  private assertRunning(): void {
    if (!this.knowhow.isRunning) {
      throw new AttackOver('The server has ended.');
    }
    if (this.unanswered >= maxUnanswered) {
      throw new AttackOver('The server no longer responds.');
    }
  }

  private checkResponse(answer: HttpAnswer, request: HttpRequest, options: AskOptions): void {
    const { status, body } = answer;
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    const isInternal = isStream && body.includes('"code":"internal"');
    const isJustified = status === 503 && answer.headers['retry-after'] !== undefined;
    if (isInternal || (status >= 500 && !isJustified && !isModelFailure(body))) {
      const excerpt = body.subarray(-shownBytes).toString();
      this.fail(`${status} ${excerpt} for ${describe(request, options)}`);
    }
  }

  private checkBreak(
    error: Error,
    request: HttpRequest,
    options: AskOptions,
    mayBreak: boolean,
  ): void {
    const isLate = error.message.startsWith('No answer');
    this.unanswered += isLate ? 1 : 0;
    if (isLate || !mayBreak) {
      this.fail(`${error.message} ${describe(request, options)}`);
    }
  }

  private getAgent(from: string): Agent {
    const agent = this.agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 256 });
    this.agents.set(from, agent);
    return agent;
  }
}

/** Model failures are reported with the gateway's own codes. */
function isModelFailure(body: Buffer): boolean {
  return body.includes('"code":"model-');
}

function byteLength(body: string | Buffer): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

function cookieOf({ headers }: HttpAnswer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** Detailed enough to replay; long values are truncated, with their length. */
function describe(request: HttpRequest, { as, replay }: AskOptions): string {
  const { method, path, headers, body } = request;
  const text = body === undefined ? '' : body.toString();
  const shown = headers === undefined ? '' : cut(JSON.stringify(headers));
  const parts = [method, cut(path), `as ${as ?? 'no caller'}`, shown, cut(text), replay ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

function cut(text: string): string {
  return text.length > shownBytes
    ? `${text.slice(0, shownBytes)}… (${text.length} characters)`
    : text;
}
