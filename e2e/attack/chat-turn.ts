import { randomUUID } from 'node:crypto';
import type { CallerName, Field } from './field.ts';

interface Turn {
  as: CallerName;
  message: string;
  /** Default: a new conversation. */
  conversation?: string;
  skills?: string[];
  /** Default: the scripted model. */
  model?: string;
  timeoutMs?: number;
  /** The loopback address to send from. */
  from?: string;
  /** How to replay it, if the message does not show that. */
  replay?: string;
}

/** A guest's turn in a new conversation as raw bytes, to be written to a socket. */
export function rawTurn(field: Field, message: string): string {
  const { url } = field.knowhow;
  const body = JSON.stringify({ message, model: 'scripted' });
  return [
    `POST /api/apps/chat/chat/${randomUUID()} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Origin: ${url}`,
    `Cookie: ${field.getCookie('anonymous')}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** Runs a turn to its end, which must be `done` or an error event. Returns its conversation. */
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

/** ID of the last answer in the user's conversation; empty if it has been deleted. */
export async function findLastAnswer(field: Field, conversation: string): Promise<string> {
  const path = `/api/conversations/${conversation}`;
  const { status, body } = await field.ask({ method: 'GET', path }, { as: 'user' });
  if (status !== 200) {
    return '';
  }
  const { messages } = JSON.parse(body.toString()) as { messages: { id: string }[] };
  return messages.at(-1)?.id ?? '';
}
