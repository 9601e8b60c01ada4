import { chatApi } from '@knowhow/shared/chat/chat';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stream } from './stream.ts';
import { Unreachable } from './unreachable.ts';

const input = {
  params: { appId: 'a b', conversationId: '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01' },
  body: { message: 'Hi' },
};

afterEach(() => vi.unstubAllGlobals());

describe('stream', () => {
  it('joins events across chunks, and ignores unknown event types', async () => {
    const fetched = answering(
      'id: 1\nevent: chunk\ndata: {"cont',
      'ent":"ä"}\n\n: still there\n\nid: 2\nevent: weather\ndata: {"sun":true}\n\n',
      'id: 3\nevent: done\ndata: {"finishReason":"stop"}\n\n',
    );
    expect(await collect()).toEqual([
      { number: 1, event: { type: 'chunk', content: 'ä' } },
      { number: 3, event: { type: 'done', finishReason: 'stop' } },
    ]);
    expect(fetched.mock.calls[0]?.[0]).toBe(
      '/api/apps/a%20b/chat/5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01',
    );
  });

  it('treats a silent connection, or one of another network, as broken', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const silent = () => new Response(new ReadableStream());
    vi.stubGlobal('fetch', async () => silent());
    const forLong = collect();
    const broken = expect(forLong).rejects.toBeInstanceOf(Unreachable);
    await vi.advanceTimersByTimeAsync(40_000);
    await broken;
    const elsewhere = expect(collect()).rejects.toBeInstanceOf(Unreachable);
    await vi.advanceTimersByTimeAsync(0);
    window.dispatchEvent(new Event('online'));
    await elsewhere;
  });

  it('throws the problem that the server returned', async () => {
    const body = { type: 'x', title: 'x', status: 404, code: 'not-found', detail: 'No such app.' };
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 404 }));
    await expect(collect()).rejects.toMatchObject({ code: 'not-found', message: 'No such app.' });
  });

  it('reports a missing server, or a foreign response, as unreachable', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(collect()).rejects.toBeInstanceOf(Unreachable);
    vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await expect(collect()).rejects.toBeInstanceOf(Unreachable);
  });
});

async function collect() {
  const events = [];
  for await (const event of stream(chatApi.turn, input)) {
    events.push(event);
  }
  return events;
}

function answering(...pieces: string[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(encoder.encode(piece));
      }
      controller.close();
    },
  });
  const fetched = vi.fn<typeof fetch>(async () => new Response(body));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}
