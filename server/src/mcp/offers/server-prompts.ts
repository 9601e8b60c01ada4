import { maxMessageLength } from '@knowhow/shared/chat/chat';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import { ignore } from '../../lib/ignore.ts';
import type { Connections } from '../connections.ts';
import { describeFailure } from '../describe-failure.ts';
import { isPersonal } from '../oauth/sign-in-servers.ts';
import { promptText, readPrompts, type ServerPrompt } from './read-prompts.ts';

/** The prompts of one server. */
export interface ServerPrompts {
  server: McpServer;
  /** Those that are known, without waiting; the server is asked again where that was long ago. */
  list(user: string): readonly ServerPrompt[];
  /** The server says that they are others now. */
  forget(user: string): void;
  /** A prompt with these arguments, as a text for the user's message. Throws a problem. */
  fill(user: string, name: string, values: Record<string, string>): Promise<string>;
}

interface Dependencies {
  server: McpServer;
  title: string;
  connections: Pick<Connections, 'of'>;
  /** A list counts so long; where it had to be asked for and was not given, not at all. */
  freshMs: number;
  /** Does what nobody waits for, not too much of it at once. */
  whenQuiet: (work: () => Promise<void>) => Promise<void>;
}

interface Kept {
  prompts: readonly ServerPrompt[];
  askedAt: number;
}

const maxUsers = 1000;
const none: readonly ServerPrompt[] = [];

export function createServerPrompts(dependencies: Dependencies): ServerPrompts {
  const { server, title, connections, freshMs, whenQuiet } = dependencies;
  const kept = new Map<string, Kept>();
  const keep = (key: string, entry: Kept) => {
    const [oldest] = kept.keys();
    if (kept.size >= maxUsers && oldest !== undefined) {
      kept.delete(oldest);
    }
    kept.set(key, entry);
  };
  const keyOf = (user: string) => (isPersonal(server) ? user : '');
  const ask = async (key: string) => {
    const signal = AbortSignal.timeout(server.limits.connectMs + server.limits.callMs);
    try {
      const listed = await connections
        .of(key)
        .use((session) => session.listPrompts(signal, server.limits.callMs), signal);
      keep(key, { prompts: readPrompts(listed), askedAt: performance.now() });
    } catch {
      // Why is its state, which an admin sees; what was known of it still counts.
      const entry = kept.get(key);
      keep(key, { prompts: entry?.prompts ?? none, askedAt: Number.NEGATIVE_INFINITY });
    }
  };
  return {
    server,
    list: (user) => {
      const key = keyOf(user);
      const entry = kept.get(key);
      if (!entry || performance.now() - entry.askedAt > freshMs) {
        keep(key, { prompts: entry?.prompts ?? none, askedAt: performance.now() });
        whenQuiet(() => ask(key)).catch(ignore);
      }
      return entry?.prompts ?? none;
    },
    forget: (user) => {
      const entry = kept.get(keyOf(user));
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
