import { type ChatEvent, chatEventSchema } from '@knowhow/shared/chat/chat';
import type { Visitor } from './start-test-server.ts';
import { waitFor } from './wait-for.ts';

interface NumberedEvent {
  number: number;
  event: ChatEvent;
}

/** A running turn as seen by one reader. */
export interface TurnStream {
  /** Events so far, validated against the contract. */
  events(): NumberedEvent[];
  /** Text so far. */
  text(): string;
  /** Waits for a text. */
  says(text: string): Promise<void>;
  /** Whether the stream ended or was interrupted. */
  ended: Promise<'whole' | 'broken'>;
  leave(): void;
}

/** Starts or follows a turn and reads its stream. Throws if there is none. */
export async function readTurn(
  visitor: Visitor,
  path: string,
  init: { json?: unknown; headers?: Record<string, string> } = {},
): Promise<TurnStream> {
  const leave = new AbortController();
  const response = await visitor(path, { ...init, signal: leave.signal });
  if (response.status !== 200) {
    throw new Error(`${path} answers ${response.status}.`);
  }
  let heard = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      heard += decoder.decode(piece as Uint8Array, { stream: true });
    }
  };
  const ended = read().then(
    () => 'whole' as const,
    () => 'broken' as const,
  );
  const events = () =>
    heard
      .split('\n\n')
      .slice(0, -1)
      .flatMap((frame) => {
        const [, id, type, data] = /^id: (\d+)\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
        const event = { type, ...JSON.parse(data ?? '{}') };
        return id === undefined
          ? []
          : [{ number: Number(id), event: chatEventSchema.parse(event) }];
      });
  const text = () => joinChunks(events());
  return {
    events,
    text,
    says: (wanted) => waitFor(() => text().includes(wanted)),
    ended,
    leave: () => leave.abort(),
  };
}

export function joinChunks(events: NumberedEvent[]): string {
  return events.map(({ event }) => (event.type === 'chunk' ? event.content : '')).join('');
}
