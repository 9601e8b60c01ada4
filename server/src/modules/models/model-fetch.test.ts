import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { scriptedHttp } from '../../testing/scripted-http.ts';
import { createModelFetch } from './model-fetch.ts';

const server = scriptedHttp();

/** Fetches a stream and pauses after its first chunk; returns its text. */
async function readSlowly(silenceMs: number, pauseMs: number): Promise<string> {
  const options = { endpoint: `${server.origin}/v1`, headers: {}, silenceMs };
  const response = await createModelFetch(options)('http://elsewhere.invalid', { body: '{}' });
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    await setTimeout(text === '' ? pauseMs : 0);
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

describe('the fetch for vendor clients', () => {
  it('passes on every byte, regardless of the chunk size', async () => {
    const events = Array.from({ length: 1000 }, (_, index) => `data: {"größe": ${index}}\n\n`);
    server.reply({ chunks: [events.join(''), 'data: the end'] });
    expect(await readSlowly(10_000, 0)).toBe(`${events.join('')}data: the end`);
  });

  it('does not mistake a slow reader for a silent provider', async () => {
    const events = 'data: one\n\n'.repeat(1000);
    server.reply({ chunks: [events] });
    expect(await readSlowly(300, 600)).toBe(events);
  });

  it('aborts on a line that never ends', async () => {
    const piece = 'x'.repeat(512 * 1024);
    server.reply({ chunks: Array.from({ length: 10 }, () => piece), ending: 'silence' });
    await expect(readSlowly(10_000, 0)).rejects.toMatchObject({ failure: { kind: 'garbage' } });
    await server.requests[0]?.abandoned;
  });
});
