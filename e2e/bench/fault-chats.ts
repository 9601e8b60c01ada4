import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { anonymousCookie } from './stand.ts';

/** One question, and what its user was told of it. */
interface Asked {
  id: string;
  cookie: string;
  /** The server has said that it is stored. */
  isAcknowledged: boolean;
  /** The whole answer was read. */
  isDone: boolean;
}

/** People who ask, one question after the other, whatever becomes of the servers. */
export interface FaultChats {
  asked: readonly Asked[];
  /** Those who were refused or not reached, and tried again. */
  refused: Map<string, number>;
  /** Lets each end what they have begun. */
  stop(): Promise<void>;
}

const people = 50;
const retryMs = 300;

/** So many chats at once, of 50 people. */
export async function startFaultChats(url: string, count: number): Promise<FaultChats> {
  const cookies = await Promise.all(Array.from({ length: people }, () => anonymousCookie(url)));
  const asked: Asked[] = [];
  const refused = new Map<string, number>();
  let isOver = false;
  const chats = Array.from({ length: count }, async (_, index) => {
    while (!isOver) {
      const one = newQuestion(cookies[index % people] ?? '');
      asked.push(one);
      try {
        await ask(url, one);
      } catch (error) {
        const why = reasonOf(error);
        refused.set(why, (refused.get(why) ?? 0) + 1);
        await wait(retryMs);
      }
    }
  });
  return {
    asked,
    refused,
    stop: async () => {
      isOver = true;
      await Promise.all(chats);
    },
  };
}

function newQuestion(cookie: string): Asked {
  return { id: randomUUID(), cookie, isAcknowledged: false, isDone: false };
}

/** A new conversation whose id is that of the question. */
async function ask(url: string, one: Asked): Promise<void> {
  const response = await fetch(`${url}/api/apps/chat/chat/${one.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: one.cookie, origin: url },
    body: JSON.stringify({ message: `ask=${one.id}`, model: 'scripted' }),
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok || !response.body) {
    const said = await response.text();
    throw new Error(response.status === 500 ? `500 ${said}` : String(response.status));
  }
  let last = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    one.isAcknowledged ||= piece.includes('session.start');
    last = (last + piece).slice(-500);
  }
  one.isDone = last.includes('"type":"done"') && last.includes('"stop"');
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

interface Message {
  role: string;
  content: string;
  status?: string;
}

/** What is wrong with what is stored, a line each; nothing, if all is as it should be. */
export async function wrongWith(
  { asked, refused }: FaultChats,
  { url, counts, words }: { url: string; counts: Record<string, number>; words: number },
): Promise<{ wrong: string[]; ends: Record<string, number> }> {
  const wrong = [...refused.keys()].filter((why) => why.startsWith('500'));
  const ends: Record<string, number> = {};
  for (const one of asked) {
    const problem = await wrongWithOne(one, { url, words, ends });
    if (problem) {
      wrong.push(`${one.id}: ${problem}`);
    }
    if ((counts[one.id] ?? 0) > 1) {
      wrong.push(`${one.id}: the model was asked ${counts[one.id]} times`);
    }
  }
  return { wrong, ends };
}

async function wrongWithOne(
  { id, cookie, isAcknowledged, isDone }: Asked,
  { url, words, ends }: { url: string; words: number; ends: Record<string, number> },
): Promise<string | undefined> {
  const response = await read(`${url}/api/conversations/${id}`, cookie);
  const stored = (await response.json()) as { messages?: Message[] };
  if (response.status === 404 && !isAcknowledged) {
    return undefined;
  }
  if (!response.ok) {
    return `acknowledged, and now ${response.status}`;
  }
  const [user, answer, ...more] = stored.messages ?? [];
  if (user?.content !== `ask=${id}` || answer?.role !== 'assistant' || more.length > 0) {
    return `${stored.messages?.length} messages`;
  }
  const { status = '' } = answer;
  ends[status] = (ends[status] ?? 0) + 1;
  const whole = Array.from({ length: words }, (_, index) => `${index + 1} `).join('');
  if (status === 'complete' && answer.content !== whole) {
    return `complete with ${answer.content.length} characters`;
  }
  if (isDone && status !== 'complete') {
    return `read to its end, and now ${status}`;
  }
  if (!whole.startsWith(answer.content)) {
    return `another text: ${answer.content.slice(0, 80)}`;
  }
  const isWhole = status === 'complete' || status === 'interrupted' || status === 'failed';
  return isWhole ? undefined : `still ${status}`;
}

/** Also while the last server that ended is being started again. */
async function read(url: string, cookie: string): Promise<Response> {
  for (let left = 100; ; left -= 1) {
    const response = await fetch(url, { headers: { cookie } });
    if (response.status !== 503 || left === 0) {
      return response;
    }
    await response.arrayBuffer();
    await wait(200);
  }
}
