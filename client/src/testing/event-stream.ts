import type { ChatEvent } from '@knowhow/shared/chat/chat';

interface AnyEvent {
  type: string;
}

/** A turn as the server sends it, with event numbers from 1. */
export function eventStream(...events: ChatEvent[]): Response {
  return streamOfEvents(events);
}

/** The events of any endpoint as the server sends them, with numbers from 1. */
export function streamOfEvents<Event extends AnyEvent>(events: readonly Event[]): Response {
  const numbered = events.map((event, index): [number, Event] => [index + 1, event]);
  return streamOf(`: hello\n\n${numbered.map(written).join('')}`);
}

/** A chunk of a turn as the server sends it. */
export function numberedStream(...events: [number, ChatEvent][]): Response {
  return streamOf(`: hello\n\n${events.map(written).join('')}`);
}

/** An open turn: the test pushes its events. */
export function openStream() {
  let number = 0;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => void writer.write(new TextEncoder().encode(text));
  write(': hello\n\n');
  return {
    response: streamOf(readable),
    push(...events: ChatEvent[]) {
      for (const event of events) {
        number += 1;
        write(written([number, event]));
      }
    },
    end: () => void writer.close(),
  };
}

function written([number, { type, ...data }]: [number, AnyEvent]): string {
  return `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function streamOf(body: BodyInit): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
