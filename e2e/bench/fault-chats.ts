import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { anonymousCookie } from './stand.ts';

/** One question, and what its user was told of it. */
interface Asked {
  id: string;
  cookie: string;
  /** The server has said that it is stored. */
  isAcknowledged: boolean;
  /** How its last event says that the answer ended; undefined without one. */
  told: string | undefined;
  /** Its reader leaves and comes back, as one who reloads the page. */
  reloads: boolean;
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
      const one = newQuestion(cookies[index % people] ?? '', index % 3 === 0);
      asked.push(one);
      try {
        await (one.reloads ? askAndReload(url, one) : ask(url, one));
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

function newQuestion(cookie: string, reloads: boolean): Asked {
  return { id: randomUUID(), cookie, isAcknowledged: false, told: undefined, reloads };
}

/** How long a reader who reloads reads events before the next reload. */
const reloadMs = 600;
/** A reader who reloads does so too when a request has taken this long. */
const giveUpMs = 5000;
const patienceMs = 120_000;

/** Asks, and reads on by other requests, each of which breaks off after a moment. */
async function askAndReload(url: string, one: Asked): Promise<void> {
  await ask(url, one, { timeoutMs: giveUpMs, readMs: reloadMs }).catch((error: unknown) => {
    if (!one.isAcknowledged) {
      throw error;
    }
  });
  const until = performance.now() + patienceMs;
  while (one.told === undefined && performance.now() < until) {
    const isOver = await readOn(url, one).catch(() => false);
    if (isOver) {
      return;
    }
    await wait(100);
  }
}

/** Follows the answer for a moment; where no events are to be had, looks whether it has ended. */
async function readOn(url: string, one: Asked): Promise<boolean> {
  const { cookie, id } = one;
  const signal = AbortSignal.timeout(giveUpMs);
  const address = `${url}/api/conversations/${id}`;
  const events = await fetch(`${address}/turn`, { headers: { cookie }, signal });
  if (events.status === 200 && events.body) {
    await take(events.body, one, reloadMs);
    return one.told !== undefined;
  }
  await events.text();
  const stored = await fetch(address, { headers: { cookie }, signal });
  const { messages = [] } = (await stored.json()) as { messages?: Message[] };
  await wait(reloadMs);
  return stored.ok && messages.at(-1)?.status !== 'running';
}

/** Reads events until they end; from an acknowledged question on, at most `readMs`. */
async function take(
  body: NonNullable<Response['body']>,
  one: Asked,
  readMs: number,
): Promise<void> {
  const until = performance.now() + readMs;
  let last = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    one.isAcknowledged ||= piece.includes('session.start');
    last = (last + piece).slice(-500);
    const [, reason] = /event: done\ndata: .*"finishReason":"(\w+)"/.exec(last) ?? [];
    one.told ??= reason ?? (last.includes('event: error\n') ? 'error' : undefined);
    if (one.isAcknowledged && performance.now() > until) {
      return;
    }
  }
}

/** A new conversation whose id is that of the question. */
async function ask(
  url: string,
  one: Asked,
  { timeoutMs = patienceMs, readMs = patienceMs } = {},
): Promise<void> {
  const response = await fetch(`${url}/api/apps/chat/chat/${one.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: one.cookie, origin: url },
    body: JSON.stringify({ message: `ask=${one.id}`, model: 'scripted' }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok || !response.body) {
    const said = await response.text();
    throw new Error(response.status === 500 ? `500 ${said}` : String(response.status));
  }
  await take(response.body, one, readMs);
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

/** How many chats went wrong, and in which way. */
export interface Wrongs {
  lost: number;
  duplicated: number;
  'told done, stored otherwise': number;
  'wrong in another way': number;
}

interface Wrong {
  kind: keyof Wrongs;
  text: string;
}

/** What is wrong with what is stored, a line each; nothing, if all is as it should be. */
export async function wrongWith(
  { asked, refused }: FaultChats,
  { url, counts, words }: { url: string; counts: Record<string, number>; words: number },
): Promise<{ wrong: string[]; wrongs: Wrongs; ends: Record<string, number> }> {
  const wrong = [...refused.keys()].filter((why) => why.startsWith('500'));
  const wrongs: Wrongs = {
    lost: 0,
    duplicated: 0,
    'told done, stored otherwise': 0,
    'wrong in another way': wrong.length,
  };
  const add = ({ id }: Asked, { kind, text }: Wrong) => {
    wrongs[kind] += 1;
    wrong.push(`${id}: ${kind}: ${text}`);
  };
  const ends: Record<string, number> = {};
  for (const one of asked) {
    const found = await wrongWithOne(one, { url, words, ends });
    if (found) {
      add(one, found);
    }
    if ((counts[one.id] ?? 0) > 1) {
      add(one, { kind: 'duplicated', text: `the model was asked ${counts[one.id]} times` });
    }
  }
  return { wrong, wrongs, ends };
}

async function wrongWithOne(
  { id, cookie, isAcknowledged, told }: Asked,
  { url, words, ends }: { url: string; words: number; ends: Record<string, number> },
): Promise<Wrong | undefined> {
  const other = (text: string): Wrong => ({ kind: 'wrong in another way', text });
  const response = await read(`${url}/api/conversations/${id}`, cookie);
  const stored = (await response.json()) as { messages?: Message[] };
  if (response.status === 404 && !isAcknowledged) {
    return undefined;
  }
  if (!response.ok) {
    return { kind: 'lost', text: `acknowledged, and now ${response.status}` };
  }
  const [user, answer, ...more] = stored.messages ?? [];
  if (user?.content !== `ask=${id}` || answer?.role !== 'assistant' || more.length > 0) {
    const count = stored.messages?.length ?? 0;
    return { kind: count > 2 ? 'duplicated' : 'lost', text: `${count} messages` };
  }
  const { status = '' } = answer;
  ends[status] = (ends[status] ?? 0) + 1;
  const whole = Array.from({ length: words }, (_, index) => `${index + 1} `).join('');
  if (status === 'complete' && answer.content !== whole) {
    return { kind: 'lost', text: `complete with ${answer.content.length} characters` };
  }
  if ((told === 'stop') !== (status === 'complete') && told !== undefined) {
    return { kind: 'told done, stored otherwise', text: `told ${told}, and now ${status}` };
  }
  if (!whole.startsWith(answer.content)) {
    return other(`another text: ${answer.content.slice(0, 80)}`);
  }
  const isWhole = status === 'complete' || status === 'interrupted' || status === 'failed';
  return isWhole ? undefined : other(`still ${status}`);
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
