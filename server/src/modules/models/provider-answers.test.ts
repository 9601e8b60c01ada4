import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gather, greeting, neverAborted, openWireModel, wires } from '../../testing/ask-wire.ts';
import { bytesOf, scriptedHttp } from '../../testing/scripted-http.ts';

const calls = [
  { id: 'callAAAA1', name: 'activate_skill', arguments: ['{"skill', '_na', 'me":"pdf', '"}'] },
  { id: 'callBBBB2', name: 'read_skill_resource', arguments: ['{"file_path":"a/b', '.md"}'] },
];

const server = scriptedHttp();

describe.each(wires)('an answer of $provider', (wire) => {
  const receiveAnswer = () => gather(openWireModel(wire, server.origin)(greeting, neverAborted));

  it('streams its text, reports usage including cached tokens, and stops', async () => {
    server.reply({ chunks: wire.answer({ text: ['Hel', 'lo ', 'there'] }) });
    expect(await receiveAnswer()).toMatchObject({
      text: 'Hello there',
      calls: [],
      usage: { inputTokens: 11, cachedTokens: 2, outputTokens: 22 },
      order: ['text', 'usage', 'stop'],
      stop: 'stop',
      error: undefined,
    });
  });

  it('passes on each piece of text immediately', async () => {
    const stream = wire.answer({ text: ['first ', 'second'] });
    const sent = stream.slice(0, stream.findIndex((event) => event.includes('first ')) + 1);
    server.reply({ chunks: sent, ending: 'silence' });
    const controller = new AbortController();
    const events = openWireModel(wire, server.origin)(greeting, controller.signal)[
      Symbol.asyncIterator
    ]();
    expect(await events.next()).toMatchObject({ value: { type: 'text', text: 'first ' } });
    controller.abort();
    await expect(events.next()).rejects.toThrow();
  });

  it('separates thinking from text', async () => {
    server.reply({ chunks: wire.answer({ thinking: 'Hmm, well.', text: ['Yes.'] }) });
    expect(await receiveAnswer()).toMatchObject({
      thinking: 'Hmm, well.',
      text: 'Yes.',
      stop: 'stop',
    });
  });

  it('contains a tool call', async () => {
    server.reply({ chunks: wire.answer({ text: ['Let me see.'], calls: calls.slice(0, 1) }) });
    expect(await receiveAnswer()).toMatchObject({
      text: 'Let me see.',
      calls: [{ id: 'callAAAA1', name: 'activate_skill', input: { skill_name: 'pdf' } }],
      stop: 'tool-calls',
    });
  });

  it.each([
    ['line ends', '\r'.repeat(1_000_000), '10000 lines'],
    ['short lines', 'x\n'.repeat(500_000), '10000 lines'],
    ['nested JSON', `data: ${'{"a":['.repeat(200_000)}\n\n`, '200 levels of JSON'],
    ['values', `data: [${'{},'.repeat(60_000)}{}]\n\n`, '50000 values of JSON'],
    ['one endless line', `data: "${'a'.repeat(5_000_000)}`, '4194304 bytes'],
  ])(
    'is rejected quickly as a flood of %s, and the error names the limit',
    async (_, flood, limit) => {
      server.reply({ chunks: [flood] });
      const started = performance.now();
      const reason = expect.stringContaining(`It sent more than ${limit}`);
      expect((await receiveAnswer()).error).toMatchObject({ code: 'model-garbage', reason });
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );

  it('may contain any brackets in its text', async () => {
    const text = ['[{'.repeat(500), '"\\', '[{'.repeat(500), '\n'.repeat(500)];
    server.reply({ chunks: wire.answer({ text }) });
    expect((await receiveAnswer()).text).toBe(text.join(''));
  });

  it('is truncated at the maximum length', async () => {
    const text = Array.from({ length: 6 }, () => 'a'.repeat(400_000));
    server.reply({ chunks: wire.answer({ text }) });
    const { text: said, stop, error } = await receiveAnswer();
    expect([said.length, stop, error]).toEqual([2_000_000, 'length', undefined]);
  });

  it('is rejected if it calls too many tools', async () => {
    const many = Array.from({ length: 101 }, (_, at) => ({
      id: `call${String(at).padStart(5, '0')}`,
      name: 'a',
      arguments: ['{}'],
    }));
    server.reply({ chunks: wire.answer({ calls: many }) });
    const reason = 'It called more than 100 tools.';
    expect((await receiveAnswer()).error).toMatchObject({ code: 'model-garbage', reason });
  });

  it('drops arguments that are too long', async () => {
    const long = JSON.stringify({ file_path: 'a'.repeat(100_001) });
    server.reply({
      chunks: wire.answer({ calls: [{ id: 'callAAAA1', name: 'a', arguments: [long] }] }),
    });
    expect((await receiveAnswer()).calls.map(({ input }) => input)).toEqual([{}]);
  });

  it('drops arguments that are nested too deeply', async () => {
    const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
    server.reply({
      chunks: wire.answer({ calls: [{ id: 'callAAAA1', name: 'a', arguments: [deep] }] }),
    });
    expect((await receiveAnswer()).calls.map(({ input }) => input)).toEqual([{}]);
  });

  it('contains parallel calls with arguments in pieces', async () => {
    server.reply({ chunks: wire.answer({ calls }) });
    expect(await receiveAnswer()).toMatchObject({
      text: '',
      calls: [
        { id: 'callAAAA1', name: 'activate_skill', input: { skill_name: 'pdf' } },
        { id: 'callBBBB2', name: 'read_skill_resource', input: { file_path: 'a/b.md' } },
      ],
      stop: 'tool-calls',
    });
  });

  it.each([3, 64])('is read correctly in chunks of %i bytes', async (size) => {
    const stream = wire.answer({ thinking: 'Grübeln …', text: ['Größe: 5 €, ', '👩‍🚀!'], calls });
    server.reply({ chunks: bytesOf(stream.join(''), size) });
    expect(await receiveAnswer()).toMatchObject({
      thinking: 'Grübeln …',
      text: 'Größe: 5 €, 👩‍🚀!',
      calls: [{ input: { skill_name: 'pdf' } }, { input: { file_path: 'a/b.md' } }],
      stop: 'tool-calls',
    });
  });

  it('tolerates CRLF line ends and comments between events', async () => {
    const stream = wire.answer({ text: ['Hello'] }).join(': still here\n\n');
    server.reply({ chunks: [stream.replaceAll('\n', '\r\n')] });
    expect(await receiveAnswer()).toMatchObject({ text: 'Hello', stop: 'stop' });
  });

  it.each<[string, (stream: string[]) => (string | Buffer)[]]>([
    [
      'empty data',
      (stream) => ['data:\n\n', ...stream.slice(0, -1), 'data: \n\n', ...stream.slice(-1)],
    ],
    ['keep-alive messages', (stream) => ['data: keepalive\n\n', 'data: [PING]\n\n', ...stream]],
    ['a byte order mark', (stream) => ['\uFEFF', ...stream]],
    [
      'no space after the colons',
      (stream) => stream.map((each) => each.replaceAll(/^(event|data): /gm, '$1:')),
    ],
    ['no line end after the last event', (stream) => [stream.join('').trimEnd()]],
  ])('tolerates %s', async (_what, change) => {
    server.reply({ chunks: change(wire.answer({ text: ['Hello'] })) });
    expect(await receiveAnswer()).toMatchObject({ text: 'Hello', stop: 'stop', error: undefined });
  });

  it.each([
    ['an event', wire.errorEvent, ''],
    ['a plain text event', 'event: error\ndata: The engine broke\n\n', 'The engine broke'],
    ['a field', 'error: {"code":500,"message":"The engine broke"}\n\n', 'The engine broke'],
    ['{code, msg}', 'data: {"code":1113,"msg":"The engine broke"}\n\n', 'The engine broke'],
  ])('keeps text that arrived in one packet with an error: %s', async (_form, event, words) => {
    const stream = wire.answer({ text: ['So far '] });
    const upTo = stream.findIndex((each) => each.includes('So far ')) + 1;
    server.reply({ chunks: [[...stream.slice(0, upTo), event].join('')] });
    const { text, error } = await receiveAnswer();
    expect(text).toBe('So far ');
    expect(error).toMatchObject({ reason: expect.stringContaining(words) });
  });

  it('is an error if the server sends JSON with status 200', async () => {
    const headers = { 'content-type': 'application/json' };
    server.reply({ headers, chunks: ['{"error":{"message":"Invalid API key"}}'] });
    expect((await receiveAnswer()).error).toMatchObject({
      code: 'model-unauthorized',
      reason: expect.stringContaining('Invalid'),
    });
  });

  it('moves thinking in tags out of the text', async () => {
    server.reply({ chunks: wire.answer({ text: ['<thi', 'nk>Hmm.</think>\n', 'Hello'] }) });
    expect(await receiveAnswer()).toMatchObject({ thinking: 'Hmm.', text: 'Hello' });
  });

  it('reports the length limit and marks calls that may be incomplete', async () => {
    server.reply({ chunks: wire.answer({ text: ['And th'], calls, stop: 'length' }) });
    expect(await receiveAnswer()).toMatchObject({
      text: 'And th',
      calls: [
        { input: {}, issue: { summary: 'wrong arguments' } },
        { input: {}, issue: { summary: 'wrong arguments' } },
      ],
      stop: 'length',
    });
  });

  it('is complete even if the connection breaks after its end', async () => {
    server.reply({ chunks: wire.answer({ text: ['Done.'] }), ending: 'cut' });
    expect(await receiveAnswer()).toMatchObject({ text: 'Done.', stop: 'stop', error: undefined });
  });

  it('reuses one connection for several turns', async () => {
    const ask = openWireModel(wire, server.origin);
    for (const word of ['one', 'two', 'three']) {
      server.reply({ chunks: wire.answer({ text: [word] }) });
      expect(await gather(ask(greeting, neverAborted))).toMatchObject({ text: word, stop: 'stop' });
      // A connection is only released after the event loop has turned once.
      await setImmediate();
    }
    expect(new Set(server.requests.map(({ port }) => port)).size).toBe(1);
  });
});
