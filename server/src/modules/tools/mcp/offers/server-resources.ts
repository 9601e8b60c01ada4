import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import { cleanText, wellFormed } from '../clean-text.ts';
import type { Connections } from '../connections.ts';
import { describeFailure } from '../describe-failure.ts';
import { isPersonal } from '../oauth/sign-in-servers.ts';

export interface ServerResources {
  server: McpServer;
  title: string;
  /** Queries the server. Throws a problem. */
  list(user: string): Promise<ServerResource[]>;
  /** Throws a problem. */
  read(user: string, uri: string): Promise<Buffer>;
}

interface Dependencies {
  server: McpServer;
  title: string;
  connections: Pick<Connections, 'of'>;
}

export function createServerResources(dependencies: Dependencies): ServerResources {
  const { server, title, connections } = dependencies;
  const { connectMs, callMs } = server.limits;
  const connectionOf = (user: string) => connections.of(isPersonal(server) ? user : '');
  const refuse = (what: string) => (error: unknown) => {
    const { message, needsSignIn } = describeFailure(error);
    const how = needsSignIn ? ' Sign in to it in the account menu, under Connections.' : '';
    throw problem('conflict', `${title} does not ${what}. ${message}${how}`, { cause: error });
  };
  return {
    server,
    title,
    list: async (user) => {
      const signal = AbortSignal.timeout(connectMs + callMs);
      const listed = await connectionOf(user)
        .use(({ resources }) => resources.list(signal, callMs), signal)
        .catch(refuse('list its resources'));
      return readResources(listed);
    },
    read: async (user, uri) => {
      const signal = AbortSignal.timeout(connectMs + callMs);
      const answer = await connectionOf(user)
        .use(({ resources }) => resources.read(uri, signal, callMs), signal)
        .catch(refuse('give this resource'));
      const bytes = resourceBytes(answer);
      if (!bytes) {
        throw problem('conflict', `${title} has given nothing for this resource.`);
      }
      return bytes;
    },
  };
}

/** A resource as described by its server, within limits. Its texts are untrusted. */
interface ServerResource {
  uri: string;
  title: string;
  description: string;
  /** In bytes, if the server specifies it. */
  size?: number;
}

const maxResources = 500;

const maxUri = 2000;

const maxTitle = 200;

const maxDescription = 500;

/**
 * Extracts the valid resources of a server's list, without duplicate URIs. The input is untrusted.
 */
function readResources(listed: readonly unknown[]): ServerResource[] {
  const resources = new Map<string, ServerResource>();
  for (const item of listed) {
    const { uri, title, name, description, size } = isRecord(item) ? item : {};
    if (typeof uri !== 'string' || uri === '' || uri.length > maxUri || resources.has(uri)) {
      continue;
    }
    resources.set(uri, {
      uri,
      title: cleanText(title, maxTitle) || cleanText(name, maxTitle) || uri.slice(0, maxTitle),
      description: cleanText(description, maxDescription),
      ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
    });
    if (resources.size === maxResources) {
      break;
    }
  }
  return [...resources.values()];
}

/**
 * The content of a `resources/read` result: its texts, or else its first blob. Undefined if there
 * is none.
 */
function resourceBytes(answer: unknown): Buffer | undefined {
  const given = isRecord(answer) && Array.isArray(answer.contents) ? answer.contents : [];
  const parts = given.filter(isRecord);
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  if (texts.length > 0) {
    return Buffer.from(wellFormed(texts.join('\n\n')));
  }
  const file = parts.find(({ blob }) => typeof blob === 'string');
  return typeof file?.blob === 'string' ? Buffer.from(file.blob, 'base64') : undefined;
}
