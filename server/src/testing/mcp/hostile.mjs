// A hand-written legacy MCP server that misbehaves as its argument says.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [behaviour = '', notes = ''] = process.argv.slice(2);
const note = (line) => notes && appendFileSync(notes, `${line}\n`);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const plain = { name: 'plain', description: 'A tool.', inputSchema: { type: 'object' } };
const text = (words) => ({ content: [{ type: 'text', text: words }] });
note(`start ${process.pid}`);

function loop() {
  const schema = { type: 'object', properties: { child: { $ref: '#' } }, $ref: '#/$defs/a' };
  return { ...schema, $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
}

function deep(levels) {
  return levels === 0 ? { type: 'string' } : { type: 'array', items: deep(levels - 1) };
}

const tool = (name, rest = {}) => ({ ...plain, name, ...rest });
const odd = [
  tool('good'),
  tool('good', { description: 'Another of this name.' }),
  tool('huge', { inputSchema: { type: 'object', description: 'x'.repeat(1 << 20) } }),
  tool('deep', { inputSchema: { type: 'object', properties: { a: deep(100) } } }),
  tool('loop', { inputSchema: loop() }),
  tool('regex', {
    inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  }),
  tool('😀 party'),
  tool('n'.repeat(300)),
  tool('n'.repeat(301)),
  tool('', {}),
  tool('liar', {
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    description: 'x'.repeat(100_000),
  }),
  tool('output', { outputSchema: { type: 'object', properties: { a: { pattern: '^(a+)+$' } } } }),
];

/** Tools that change with the content of the notes file. */
function changing() {
  const version = notes && readFileSync(`${notes}.tools`, 'utf8').trim();
  return JSON.parse(version);
}

const lists = {
  odd: () => odd,
  changing,
  large: () =>
    Array.from({ length: 500 }, (_, index) =>
      tool(`tool-${index}`, { inputSchema: described(30) }),
    ),
  many: () => Array.from({ length: 1500 }, (_, index) => tool(`tool-${index}`)),
};

/** A schema with many described parameters. */
function described(count) {
  const properties = Array.from({ length: count }, (_, at) => [
    `parameter-${at}`,
    { type: 'string', description: 'It says what the tool is to do.' },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

const keys = (count) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
const entries = (count, entry) => ({ content: Array.from({ length: count }, () => entry) });

const calls = {
  'much-text': () => text('a'.repeat(5 * 1024 * 1024)),
  nulls: () => entries(300_001, null),
  objects: () => entries(300_001, {}),
  'wrong-entries': () => entries(10_000, {}),
  'wrong-in-one-entry': () => ({
    content: [{ type: 'resource_link', uri: 'a:b', name: 'a', icons: Array(9000).fill({}) }],
  }),
  'many-keys': () => ({ content: [], structuredContent: keys(10_001) }),
  'many-meta': () => ({ content: [], _meta: keys(10_001) }),
  'deep-answer': () => ({ content: [], structuredContent: { a: deep(300) } }),
  'answers-much': () => text('a'.repeat(10 * 1024 * 1024)),
  'too-much': () => text('a'.repeat(20 * 1024 * 1024)),
  'many-parts': () => ({
    content: Array.from({ length: 10_000 }, (_, index) => ({ type: 'text', text: `${index}` })),
  }),
  'many-images': () => ({
    content: Array.from({ length: 10_000 }, () => ({
      type: 'image',
      mimeType: 'image/png',
      data: 'iVBORw0KGgo=',
    })),
  }),
  'no-image': () => ({
    content: [
      { type: 'image', mimeType: 'image/png', data: btoa('<script>alert(1)</script>') },
      { type: 'image', mimeType: 'image/png', data: btoa('GIF89a') },
    ],
  }),
  'wrong-shape': () => ({ content: [null, 3, { type: 'unknown' }, { type: 'image' }] }),
  odd: () => ({ content: [], structuredContent: { a: `${'a'.repeat(40)}!` } }),
  'dies-in-call': () => process.exit(3),
  'hangs-in-call': () => undefined,
  'progress-forever': (_id, params) => {
    const progressToken = params._meta?.progressToken;
    setInterval(() => {
      const progress = { progressToken, progress: performance.now() };
      send({ method: 'notifications/progress', params: progress });
    }, 20);
  },
  'floods-in-call': () => {
    const flood = () => {
      for (let index = 0; index < 1000; index += 1) {
        send({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
      }
      setImmediate(flood);
    };
    flood();
  },
  asks: (id) => {
    send({
      id: `ask-${id}`,
      method: 'elicitation/create',
      params: {
        message: 'Who are you?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    });
  },
  samples: (id) => {
    send({
      id: `sample-${id}`,
      method: 'sampling/createMessage',
      params: { messages: [], maxTokens: 10 },
    });
  },
  // biome-ignore lint/style/noProcessEnv: returns its environment to the test
  environment: () => text(JSON.stringify({ ...process.env, cwd: process.cwd() })),
};

function answer({ id, method, params = {}, result, error }) {
  note(method ?? `answer ${id} ${JSON.stringify(result ?? error)}`);
  if (method === undefined) {
    const call = Number(String(id).split('-')[1]);
    send({ id: call, result: text(JSON.stringify(result ?? error)) });
    return;
  }
  if (id === undefined) {
    note(`${method} ${JSON.stringify(params)}`);
    return;
  }
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } };
    const serverInfo = { name: 'hostile', version: '1' };
    send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } });
  } else if (method === 'tools/list') {
    send({ id, result: { tools: (lists[behaviour] ?? (() => [plain]))() } });
  } else if (method === 'tools/call') {
    const given = (calls[behaviour] ?? (() => text('Done.')))(id, params);
    if (given) {
      send({ id, result: given });
    }
  } else {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

const starts = {
  'dies-at-start': () => {
    process.stderr.write('\u001b[31mThe token is missing.\u001b[0m\n');
    process.exit(7);
  },
  'dies-at-question': () => {
    createInterface(process.stdin).once('line', (line) => {
      if (JSON.parse(line).method !== 'initialize') {
        process.exit(1);
      }
    });
  },
  garbage: () => setInterval(() => process.stdout.write('this is a log line\n'.repeat(1000)), 1),
  hangs: () => process.stdin.resume(),
  stubborn: () => process.on('SIGTERM', () => note('SIGTERM')),
};
starts[behaviour]?.();
if (behaviour === 'stubborn') {
  setInterval(() => undefined, 1000);
}
if (!['garbage', 'hangs'].includes(behaviour)) {
  createInterface(process.stdin).on('line', (line) => answer(JSON.parse(line)));
}
if (behaviour === 'changing') {
  process.on('SIGUSR2', () => send({ method: 'notifications/tools/list_changed' }));
}
