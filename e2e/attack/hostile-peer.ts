/**
 * A peer that responds with `payloads`, in its own process. With `http`, it serves all HTTP kinds at
 * `/<kind>/<payload>`; with `stdio <payload>`, it is a stdio MCP server. A runner has one address, `/runner`;
 * `/next/<payload>` selects its payload. `/asked` lists the requests so far as `<kind>/<payload>`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Payload, type PeerKind, payloads } from './hostile-payloads.ts';

interface McpRequest {
  id?: unknown;
  method?: string;
}

const [form = '', started = ''] = process.argv.slice(2);
const asked = new Set<string>();
/** The payload that `/runner` returns. */
let next = '';

if (form === 'stdio') {
  answerOnStreams(payloads.stdio[started] as Payload);
} else {
  const server = createServer((request, response) => {
    // Readers close the connection when their limit is reached.
    answerOverHttp(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
  process.on('disconnect', () => process.exit());
}

async function answerOverHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind = '', name = '', ...rest] = (request.url ?? '').split(/[/?]/);
  if (kind === 'asked') {
    response.end(JSON.stringify([...asked]));
    return;
  }
  if (kind === 'next') {
    next = name;
    response.end();
    return;
  }
  const base = `http://${request.headers.host}`;
  if (kind === '.well-known') {
    // Metadata of MCP servers that require sign-in: /.well-known/oauth-…/mcp-sign-in/<payload>
    const payload = request.url?.split('/').at(-1) ?? '';
    await send('sign-in', payload, response);
    return;
  }
  if (kind === 'mcp-sign-in') {
    const metadata = `${base}/.well-known/oauth-protected-resource/mcp-sign-in/${name}`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    return;
  }
  if (kind === 'keys' && rest.at(-1) === 'openid-configuration') {
    const issuer = `${base}/keys/${name}`;
    const addresses = {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
    };
    json(response, addresses);
    return;
  }
  if (kind === 'mcp') {
    const text = await readText(request);
    await answerMcp(text === '' ? {} : (JSON.parse(text) as McpRequest), name, response);
    return;
  }
  request.resume();
  await send(kind as PeerKind, kind === 'runner' ? next : name, response);
}

async function answerMcp(request: McpRequest, name: string, response: ServerResponse) {
  const payload = payloads.mcp[name] as Payload;
  if (request.id === undefined) {
    response.writeHead(request.method === undefined ? 405 : 202).end();
  } else if (request.method === (payload.method ?? 'tools/call')) {
    await send('mcp', name, response, request.id);
  } else {
    json(response, plainAnswer(request));
  }
}

async function send(kind: PeerKind, name: string, response: ServerResponse, id?: unknown) {
  asked.add(`${kind}/${name}`);
  const payload = payloads[kind][name] as Payload;
  response.writeHead(payload.status ?? 200, {
    'content-type': payload.type ?? 'application/json',
    ...(payload.isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  const pieces = Readable.from(payload.pieces(id));
  await (payload.isZipped
    ? pipeline(pieces, createGzip({ level: 1 }), response)
    : pipeline(pieces, response));
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function answerOnStreams(payload: Payload): void {
  createInterface(process.stdin).on('line', (line) => {
    const request = JSON.parse(line) as McpRequest;
    if (request.id === undefined) {
      return;
    }
    const isAsked = request.method === (payload.method ?? 'tools/call');
    const pieces = isAsked ? payload.pieces(request.id) : [JSON.stringify(plainAnswer(request))];
    // It may be killed in the middle of its response.
    pipeline(Readable.from(pieces), process.stdout, { end: false })
      .then(() => process.stdout.write('\n'))
      .catch(() => process.exit());
  });
}

/** Responses of a harmless MCP server. */
function plainAnswer({ id, method }: McpRequest): object {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'hostile', version: '1' },
    },
    'tools/list': { tools: [{ name: 'plain', inputSchema: { type: 'object' } }] },
    'resources/list': { resources: [] },
  };
  const result = results[method ?? ''];
  return result
    ? { jsonrpc: '2.0', id, result }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}
