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

/** Registers tools, prompts or resources. */
type Register = (server: McpServer) => void;

export interface SdkServer {
  url: string;
  /** Whether a client is subscribed to changes. */
  isHeard(): boolean;
  /** Registers more and notifies subscribers. */
  offer(more: Register): void;
}

/**
 * An HTTP server based on the MCP library, until the test ends.
 *
 * @param era the only supported protocol era; `legacy` has sessions
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
  const eraServer = era === 'modern' ? modern(create) : legacy(create);
  const http = createServer(async (request, response) => {
    await sendWeb(await eraServer.fetch(webRequest(request)), response);
  });
  return {
    url: `http://127.0.0.1:${await listenOn(http)}/mcp`,
    isHeard: eraServer.isHeard,
    offer: (more) => {
      registered.push(more);
      eraServer.announce(more);
    },
  };
}

interface EraServer extends Pick<SdkServer, 'isHeard'> {
  fetch(request: Request): Promise<Response>;
  announce(more: Register): void;
}

function modern(create: () => McpServer): EraServer {
  const bus = new InMemoryServerEventBus();
  const { fetch, notify } = createMcpHandler(create, { legacy: 'reject', bus });
  const announce = () => {
    notify.toolsChanged();
    notify.promptsChanged();
  };
  return { fetch, announce, isHeard: () => bus.listenerCount > 0 };
}

function legacy(create: () => McpServer): EraServer {
  const servers: McpServer[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  let isHeard = false;
  return {
    isHeard: () => isHeard,
    // The library notifies clients itself.
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
