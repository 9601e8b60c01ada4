import { randomUUID } from 'node:crypto';
import { type ChatEvent, chatEventSchema } from '@knowhow/shared/chat/chat';
import { type Conversation, conversationSchema } from '@knowhow/shared/chat/conversations';
import type { Visitor } from './start-test-server.ts';

interface Turn {
  message: string;
  conversationId?: string;
  app?: string;
  skills?: string[];
  skillsOff?: string[];
  model?: string;
  replaces?: string;
  after?: string;
  attachments?: string[];
  headers?: Record<string, string>;
}

export interface TakenTurn {
  conversationId: string;
  status: number;
  events: ChatEvent[];
  /** The answer's text. */
  text: string;
  /** The raw body. */
  body: string;
}

/**
 * Runs a turn over HTTP and reads it to the end. A test that fails meanwhile closes its server, so a turn that it no
 * longer awaits may reject unhandled.
 */
export function takeTurn(visitor: Visitor, turn: Turn): Promise<TakenTurn> {
  const taken = readTurn(visitor, turn);
  taken.catch(() => undefined);
  return taken;
}

async function readTurn(visitor: Visitor, turn: Turn): Promise<TakenTurn> {
  const { conversationId = randomUUID(), app = 'chat', headers = {}, ...json } = turn;
  const response = await visitor(`/api/apps/${app}/chat/${conversationId}`, { json, headers });
  const body = await response.text();
  const events = response.ok ? parseEvents(body) : [];
  const text = events.map((event) => (event.type === 'chunk' ? event.content : '')).join('');
  return { conversationId, status: response.status, events, text, body };
}

/** The first event of a turn, which contains the IDs. */
export function startOf({ events, body }: TakenTurn) {
  const [start] = events;
  if (start?.type !== 'session.start') {
    throw new Error(`The turn did not start: ${body}`);
  }
  return start;
}

/** Parses server-sent events and validates them against the contract. */
export function parseEvents(body: string): ChatEvent[] {
  return body
    .split('\n\n')
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => {
      const [, type, data] = /^id: \d+\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
      return chatEventSchema.parse({ type, ...JSON.parse(data ?? '') });
    });
}

/** Reads a conversation as its owner and validates it against the contract. */
export async function readConversation(visitor: Visitor, id: string): Promise<Conversation> {
  const response = await visitor(`/api/conversations/${id}`);
  return conversationSchema.parse(await response.json());
}
