import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { problem } from '@knowhow/shared/problem';
import type { Connections } from '../connections.ts';
import { describeFailure } from '../describe-failure.ts';
import { isPersonal } from '../oauth/sign-in-servers.ts';
import { readResources, resourceBytes, type ServerResource } from './read-resources.ts';

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
