import type { ChatEvent } from '@knowhow/shared/chat';

/** A turn as the server sends it, numbered from 1. */
export function eventStream(...events: ChatEvent[]): Response {
  return numberedStream(...events.map((event, index): [number, ChatEvent] => [index + 1, event]));
}

/** A part of a turn as the server sends it. */
export function numberedStream(...events: [number, ChatEvent][]): Response {
  const text = events.map(
    ([number, { type, ...data }]) =>
      `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return new Response(`: hello\n\n${text.join('')}`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
