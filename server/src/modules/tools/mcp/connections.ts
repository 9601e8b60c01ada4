import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { SourceState } from '../tool-source.ts';
import type { Connection } from './connection.ts';
import { isPersonal, signInNote } from './oauth/sign-in-servers.ts';

/** Above this many concurrent users, the oldest connection is evicted. */
const maxUsers = 1000;
const shared = '';

/** Connections to a server: one shared, or one per user if users sign in to it. */
export class Connections {
  readonly #server: McpServer;
  readonly #isPersonal: boolean;
  readonly #create: (user: string) => Connection;
  /** By user; the shared one has an empty key. */
  readonly #open = new Map<string, Connection>();

  constructor(server: McpServer, create: (user: string) => Connection) {
    this.#server = server;
    this.#isPersonal = isPersonal(server);
    this.#create = create;
  }

  of(user: string): Connection {
    const key = this.#isPersonal ? user : shared;
    const existing = this.#open.get(key);
    if (existing) {
      return existing;
    }
    const [oldest] = this.#open;
    if (oldest && this.#open.size >= maxUsers) {
      this.#open.delete(oldest[0]);
      oldest[1].close().catch(ignore);
    }
    const connection = this.#create(key);
    this.#open.set(key, connection);
    return connection;
  }

  /** With several connections: ready if any is, otherwise the state of the last one. */
  get state(): SourceState {
    if (!this.#isPersonal) {
      return this.of(shared).state;
    }
    const states = [...this.#open.values()].map(({ state }) => state);
    const signIn: SourceState = { status: 'sign-in', message: signInNote(this.#server) };
    return states.find(({ status }) => status === 'ready') ?? states.at(-1) ?? signIn;
  }

  async retry(): Promise<void> {
    const some = this.#isPersonal ? [...this.#open.values()] : [this.of(shared)];
    await Promise.all(some.map((connection) => connection.retry()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((connection) => connection.close()));
  }
}
