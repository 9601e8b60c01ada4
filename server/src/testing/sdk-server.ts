import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { listenOn } from './listen-on.ts';
import { sendWeb, webRequest } from './web-request.ts';

/** Gives a server something to offer. */
type Register = (server: McpServer) => void;

export interface SdkServer {
  url: string;
  /** Whether somebody listens for changes. */
  isHeard(): boolean;
  /** Offers more from now on, and says so to whoever listens. */
  offer(more: Register): void;
}

/**
 * A server over HTTP, made with the library, until the test ends.
 *
 * @param era that it speaks, and no other; one that is `legacy` has sessions
 */
export async function startSdkServer(
  era: 'modern' | 'legacy',
  register: Register,
): Promise<SdkServer> {
  const registered = [register];
  const create = () => {
    const server = new McpServer({ name: 'own', version: '1.0.0' });
    for (const each of registered) {
      each(server);
    }
    return server;
  };
  const made = era === 'modern' ? modern(create) : legacy(create);
  const http = createServer(async (request, response) => {
    await sendWeb(await made.fetch(webRequest(request)), response);
  });
  return {
    url: `http://127.0.0.1:${await listenOn(http)}/mcp`,
    isHeard: made.isHeard,
    offer: (more) => {
      registered.push(more);
      made.announce(more);
    },
  };
}

interface Made extends Pick<SdkServer, 'isHeard'> {
  fetch(request: Request): Promise<Response>;
  announce(more: Register): void;
}

function modern(create: () => McpServer): Made {
  const bus = new InMemoryServerEventBus();
  const { fetch, notify } = createMcpHandler(create, { legacy: 'reject', bus });
  const announce = () => {
    notify.toolsChanged();
    notify.promptsChanged();
  };
  return { fetch, announce, isHeard: () => bus.listenerCount > 0 };
}

function legacy(create: () => McpServer): Made {
  const servers: McpServer[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  let isHeard = false;
  return {
    isHeard: () => isHeard,
    // They say so themselves.
    announce: (more) => servers.forEach(more),
    fetch: async (request) => {
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
      if (known) {
        const answer = await known.handleRequest(request);
        isHeard ||= request.method === 'GET';
        return answer;
      }
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          sessions.set(id, transport);
        },
      });
      const server = create();
      servers.push(server);
      await server.connect(transport);
      return transport.handleRequest(request);
    },
  };
}
