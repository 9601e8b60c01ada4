import { randomUUID } from 'node:crypto';
import type { CallerName, Field } from './field.ts';

interface Turn {
  as: CallerName;
  message: string;
  /** A new conversation when left out. */
  conversation?: string;
  skills?: string[];
  /** The scripted model if left out. */
  model?: string;
  timeoutMs?: number;
  /** The address on loopback it comes from. */
  from?: string;
  /** Where the message does not say what was attacked. */
  replay?: string;
}

/** A guest's turn in a new conversation as bytes, to be written to a connection. */
export function rawTurn(field: Field, message: string): string {
  const { url } = field.knowhow;
  const body = JSON.stringify({ message, model: 'scripted' });
  return [
    `POST /api/apps/chat/chat/${randomUUID()} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Origin: ${url}`,
    `Cookie: ${field.cookieOf('anonymous')}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** Takes a turn to its end, which must come: `done`, or an error in words. Gives its conversation. */
export async function takeTurn(field: Field, turn: Turn): Promise<string> {
  const { as, message, conversation = randomUUID(), skills, model = 'scripted', replay } = turn;
  const path = `/api/apps/chat/chat/${conversation}`;
  const body = { message, model, ...(skills ? { skills } : {}) };
  const { from, timeoutMs } = turn;
  const answer = await field.askJson('POST', path, body, { as, from, timeoutMs, replay });
  if (answer.status === 200) {
    field.check(
      /event: (done|error)\n/.test(answer.body.subarray(-4000).toString()),
      `A turn without an end: ${answer.body.subarray(-300)} ${replay ?? message.slice(0, 60)}`,
    );
  }
  return conversation;
}

/** The id of the last answer in a conversation of the user's; empty when it has gone. */
export async function answerIn(field: Field, conversation: string): Promise<string> {
  const path = `/api/conversations/${conversation}`;
  const { status, body } = await field.ask({ method: 'GET', path }, { as: 'user' });
  if (status !== 200) {
    return '';
  }
  const { messages } = JSON.parse(body.toString()) as { messages: { id: string }[] };
  return messages.at(-1)?.id ?? '';
}
