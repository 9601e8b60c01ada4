import { maxMessageLength } from '@knowhow/shared/chat/chat';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import { ignore } from '../../../../platform/lib/ignore.ts';
import type { Connections } from '../connections.ts';
import { describeFailure } from '../describe-failure.ts';
import { isPersonal } from '../oauth/sign-in-servers.ts';
import { promptText, readPrompts, type ServerPrompt } from './read-prompts.ts';

/** The prompts of one server. */
export interface ServerPrompts {
  server: McpServer;
  /** The cached prompts, without waiting; stale ones are refreshed in the background. */
  list(user: string): readonly ServerPrompt[];
  /** Invalidates the cache after the server reported a change. */
  forget(user: string): void;
  /** A prompt with its arguments filled in, as text for the user's message. Throws a problem. */
  fill(user: string, name: string, values: Record<string, string>): Promise<string>;
}

interface Dependencies {
  server: McpServer;
  title: string;
  connections: Pick<Connections, 'of'>;
  /** Cache lifetime in milliseconds. */
  freshMs: number;
  /** Runs a background task with limited concurrency. */
  whenQuiet: (work: () => Promise<void>) => Promise<void>;
}

interface CacheEntry {
  prompts: readonly ServerPrompt[];
  askedAt: number;
}

const maxUsers = 1000;
const none: readonly ServerPrompt[] = [];

export function createServerPrompts(dependencies: Dependencies): ServerPrompts {
  const { server, title, connections, freshMs, whenQuiet } = dependencies;
  const cache = new Map<string, CacheEntry>();
  const store = (key: string, entry: CacheEntry) => {
    const [oldest] = cache.keys();
    if (cache.size >= maxUsers && oldest !== undefined) {
      cache.delete(oldest);
    }
    cache.set(key, entry);
  };
  const keyOf = (user: string) => (isPersonal(server) ? user : '');
  const ask = async (key: string) => {
    const signal = AbortSignal.timeout(server.limits.connectMs + server.limits.callMs);
    try {
      const listed = await connections
        .of(key)
        .use((session) => session.listPrompts(signal, server.limits.callMs), signal);
      store(key, { prompts: readPrompts(listed), askedAt: performance.now() });
    } catch {
      // The connection's state tells an admin why. The previous list stays valid.
      const entry = cache.get(key);
      store(key, { prompts: entry?.prompts ?? none, askedAt: Number.NEGATIVE_INFINITY });
    }
  };
  return {
    server,
    list: (user) => {
      const key = keyOf(user);
      const entry = cache.get(key);
      if (!entry || performance.now() - entry.askedAt > freshMs) {
        store(key, { prompts: entry?.prompts ?? none, askedAt: performance.now() });
        whenQuiet(() => ask(key)).catch(ignore);
      }
      return entry?.prompts ?? none;
    },
    forget: (user) => {
      const entry = cache.get(keyOf(user));
      if (entry) {
        entry.askedAt = Number.NEGATIVE_INFINITY;
      }
    },
    fill: async (user, name, values) => {
      const signal = AbortSignal.timeout(server.limits.connectMs + server.limits.callMs);
      const answer = await connections
        .of(keyOf(user))
        .use((session) => session.getPrompt(name, values, signal), signal)
        .catch((error: unknown) => {
          throw problem('conflict', refusalOf(title, error), { cause: error });
        });
      return checked(title, answer);
    },
  };
}

function refusalOf(title: string, error: unknown): string {
  const { message, needsSignIn } = describeFailure(error);
  const how = needsSignIn ? ' Sign in to it in the account menu, under Connections.' : '';
  return `${title} does not give this prompt. ${message}${how}`;
}

function checked(title: string, answer: unknown): string {
  if (isRecord(answer) && answer.resultType === 'input_required') {
    throw problem(
      'conflict',
      `${title} asks for more before it gives this prompt than it can here.`,
    );
  }
  const text = promptText(answer);
  if (text === '' || text.length > maxMessageLength) {
    const why = text === '' ? 'has no text' : `has more than ${maxMessageLength} characters`;
    throw problem('conflict', `This prompt of ${title} ${why}. It is not used.`);
  }
  return text;
}
