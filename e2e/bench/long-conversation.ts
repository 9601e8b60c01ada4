import { randomUUID } from 'node:crypto';
import type { Knowhow } from '../start-knowhow.ts';
import { nowMs } from './chat-load.ts';
import { anonymousCookie } from './stand.ts';
import { median } from './statistics.ts';

export const longConversation = 2000;

/** Median milliseconds. */
export interface LongFigures {
  /** From the start of a turn's request to the provider's first token. */
  preparedMs: number;
  /** From requesting the conversation to its last byte. */
  openedMs: number;
}

const times = 15;
/** A message of about one and a half lines, and a short answer: all of them fit the context window. */
const message = `bench tokens=3 wait=0 every=0 ${'Now the next part, as we did with the one before. '.repeat(2)}`;

/** Creates a long conversation and measures further turns. */
export async function measureLongConversation({ url }: Knowhow): Promise<LongFigures> {
  const cookie = await anonymousCookie(url);
  const id = randomUUID();
  const runOwnTurn = () => runTurn(`${url}/api/apps/chat/chat/${id}`, { cookie, origin: url });
  await runTurns(`${url}/api/apps/chat/chat/${id}`, { cookie, origin: url }, longConversation / 2);
  const prepared: number[] = [];
  const opened: number[] = [];
  for (let time = 0; time < times; time++) {
    prepared.push(await runOwnTurn());
    const started = nowMs();
    await (await fetch(`${url}/api/conversations/${id}`, { headers: { cookie } })).text();
    opened.push(nowMs() - started);
  }
  return { preparedMs: median(prepared), openedMs: median(opened) };
}

/** Runs this many turns of a conversation, one after the other. */
export async function runTurns(
  address: string,
  headers: Record<string, string>,
  turns: number,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await runTurn(address, headers);
  }
}

/**
 * Runs one turn to its end. Returns the time until the provider received its request: the first token is a
 * timestamp.
 */
async function runTurn(address: string, headers: Record<string, string>): Promise<number> {
  const started = nowMs();
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message, model: 'scripted' }),
  });
  const text = await response.text();
  const stamp = /"content":"(\d+)/.exec(text)?.[1];
  if (!stamp || !text.includes('event: done')) {
    throw new Error(`A turn of a long conversation failed: ${text.slice(0, 300)}`);
  }
  return Number(stamp) / 1000 - started;
}
