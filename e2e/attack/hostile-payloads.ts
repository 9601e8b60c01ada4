/** A response body of a hostile peer. */
export interface Payload {
  /** @param id ID of the JSON-RPC request, if any */
  pieces(id?: unknown): Iterable<string>;
  /** Default: `application/json`. */
  type?: 'text/event-stream';
  isZipped?: boolean;
  status?: number;
  /** The MCP method that it responds to; default: `tools/call`. */
  method?: 'tools/list' | 'resources/list';
}

export type PeerKind = 'mcp' | 'stdio' | 'sign-in' | 'keys' | 'model' | 'embedder' | 'runner';

/** Effectively endless for a client that buffers the whole body. */
const endlessBytes = 256 * 1024 * 1024;
const pieceBytes = 64 * 1024;

const list = (count: number, entry: string) => `[${`${entry},`.repeat(count - 1)}${entry}]`;
const members = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(',')}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

function* endless(head: string, piece: string, bytes = endlessBytes): Iterable<string> {
  yield head;
  const block = piece.repeat(Math.ceil(pieceBytes / piece.length));
  for (let sent = 0; sent < bytes; sent += block.length) {
    yield block;
  }
}

const event = (data: string) => `data: ${data}\n\n`;
const answer = (id: unknown, result: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
const result = (text: () => string): Payload => ({ pieces: (id) => [answer(id, text())] });
const listed = (method: Payload['method'], text: () => string): Payload => ({
  ...result(text),
  method,
});

/** Responses that are far more expensive than their size, over HTTP and stdio. */
const mcpAnswers: Record<string, Payload> = {
  objects: result(() => `{"content":${list(300_001, '{}')}}`),
  nulls: result(() => `{"content":${list(300_001, 'null')}}`),
  'listed-tools': listed('tools/list', () => `{"tools":${list(300_001, '{}')}}`),
  'more-nulls': result(() => `{"content":${list(1_500_001, 'null')}}`),
  'more-objects': result(() => `{"content":${list(3_200_001, '{}')}}`),
  'wrong-parts': result(() => `{"content":${list(49_000, 'null')}}`),
  meta: result(() => `{"content":[],"_meta":${members(500_000)}}`),
  structured: result(() => `{"content":[],"structuredContent":${members(500_000)}}`),
  deep: result(() => `{"content":[],"structuredContent":{"a":${nested(1_000_000)}}}`),
  'listed-resources': listed('resources/list', () => `{"resources":${list(300_001, '{}')}}`),
};

const notification =
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';

const documents = (head: string, tail: string): Record<string, Payload> => ({
  objects: { pieces: () => [head, list(300_001, '{}'), tail] },
  'more-objects': { pieces: () => [head, list(3_200_001, '{}'), tail] },
  members: { pieces: () => [head, members(500_000), tail] },
  deep: { pieces: () => [head, nested(1_000_000), tail] },
  endless: { pieces: () => endless(`${head}"`, 'a') },
  zipped: { pieces: () => endless(`${head}"`, 'a'), isZipped: true },
});

const chunk = (content: string) =>
  `{"id":"x","object":"chat.completion.chunk","created":0,"model":"x","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}`;

/** Payloads by kind of peer, worst first. The short form uses the first ones. */
export const payloads: Record<PeerKind, Record<string, Payload>> = {
  mcp: {
    ...mcpAnswers,
    'one-line': { pieces: () => endless('data: "', 'a'), type: 'text/event-stream' },
    flood: { pieces: () => endless('', event(notification)), type: 'text/event-stream' },
    'no-events': { pieces: () => endless('', '\n'), type: 'text/event-stream' },
    zipped: { pieces: (id) => endless(answer(id, '"'), 'a'), isZipped: true },
  },
  stdio: {
    ...mcpAnswers,
    'one-line': { pieces: () => endless('"', 'a') },
    flood: { pieces: () => endless('', `${notification}\n`) },
  },
  'sign-in': documents('{"scopes_supported":', '}'),
  keys: documents('{"keys":', '}'),
  model: {
    objects: { pieces: () => [event(list(3_200_001, '{}'))], type: 'text/event-stream' },
    'one-line': { pieces: () => endless('data: "', 'a'), type: 'text/event-stream' },
    'no-events': { pieces: () => endless('', '\r'), type: 'text/event-stream' },
    members: { pieces: () => [event(members(500_000))], type: 'text/event-stream' },
    deep: { pieces: () => [event(nested(1_000_000))], type: 'text/event-stream' },
    'many-words': { pieces: () => endless('', event(chunk('word '))), type: 'text/event-stream' },
    error: { pieces: () => endless('{"error":"', 'a'), status: 400 },
    zipped: { pieces: () => endless('', event(chunk('a'))), isZipped: true },
  },
  embedder: documents('{"object":"list","data":', '}'),
  runner: documents('{"version":1,"runtimes":{},"skills":', '}'),
};
