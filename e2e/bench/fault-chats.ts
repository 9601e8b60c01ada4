import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { anonymousCookie } from './stand.ts';

/** One question, and what its user saw. */
interface Asked {
  id: string;
  cookie: string;
  /** The server has acknowledged that it is stored. */
  isAcknowledged: boolean;
  /** The final status in its last event; undefined without one. */
  told: string | undefined;
  /** Whether its reader disconnects and reconnects, as if reloading the page. */
  reloads: boolean;
}

/** Users who keep asking questions, regardless of server failures. */
export interface FaultChats {
  asked: readonly Asked[];
  /** Rejected or failed requests, which were retried, by reason. */
  refused: Map<string, number>;
  /** Waits until all have finished what they have started. */
  stop(): Promise<void>;
}

const people = 50;
const retryMs = 300;

/** Starts this many concurrent chats, distributed over 50 users. */
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
        const why = describeReason(error);
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

/** How long a reloading reader reads events before the next reload. */
const reloadMs = 600;
/** A reloading reader also reloads when a request takes this long. */
const giveUpMs = 5000;
const patienceMs = 120_000;

/** Asks, then follows the answer with further requests, each disconnected after a moment. */
async function askAndReload(url: string, one: Asked): Promise<void> {
  await ask(url, one, { timeoutMs: giveUpMs, readMs: reloadMs }).catch((error: unknown) => {
    if (!one.isAcknowledged) {
      throw error;
    }
  });
  const until = performance.now() + patienceMs;
  while (one.told === undefined && performance.now() < until) {
    const isOver = await followAnswer(url, one).catch(() => false);
    if (isOver) {
      return;
    }
    await wait(100);
  }
}

/** Follows the answer for a moment. Without events, checks whether it has ended. */
async function followAnswer(url: string, one: Asked): Promise<boolean> {
  const { cookie, id } = one;
  const signal = AbortSignal.timeout(giveUpMs);
  const address = `${url}/api/conversations/${id}`;
  const events = await fetch(`${address}/turn`, { headers: { cookie }, signal });
  if (events.status === 200 && events.body) {
    await readEvents(events.body, one, reloadMs);
    return one.told !== undefined;
  }
  await events.text();
  const stored = await fetch(address, { headers: { cookie }, signal });
  const { messages = [] } = (await stored.json()) as { messages?: Message[] };
  await wait(reloadMs);
  return stored.ok && messages.at(-1)?.status !== 'running';
}

/** Reads events until they end; after the acknowledgement, at most `readMs`. */
async function readEvents(
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

/** Starts a new conversation whose ID is that of the question. */
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
  await readEvents(response.body, one, readMs);
}

function describeReason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

interface Message {
  role: string;
  content: string;
  status?: string;
}

/** Number of incorrect chats by kind. */
export interface DefectCounts {
  lost: number;
  duplicated: number;
  'told done, stored otherwise': number;
  'wrong in another way': number;
}

interface Defect {
  kind: keyof DefectCounts;
  text: string;
}

/** Describes what is wrong in the stored conversations, one line each; empty if all are correct. */
export async function findDefects(
  { asked, refused }: FaultChats,
  { url, counts, words }: { url: string; counts: Record<string, number>; words: number },
): Promise<{ wrong: string[]; wrongs: DefectCounts; ends: Record<string, number> }> {
  const wrong = [...refused.keys()].filter((why) => why.startsWith('500'));
  const wrongs: DefectCounts = {
    lost: 0,
    duplicated: 0,
    'told done, stored otherwise': 0,
    'wrong in another way': wrong.length,
  };
  const add = ({ id }: Asked, { kind, text }: Defect) => {
    wrongs[kind] += 1;
    wrong.push(`${id}: ${kind}: ${text}`);
  };
  const ends: Record<string, number> = {};
  for (const one of asked) {
    const found = await checkChat(one, { url, words, ends });
    if (found) {
      add(one, found);
    }
    if ((counts[one.id] ?? 0) > 1) {
      add(one, { kind: 'duplicated', text: `the model was asked ${counts[one.id]} times` });
    }
  }
  return { wrong, wrongs, ends };
}

async function checkChat(
  { id, cookie, isAcknowledged, told }: Asked,
  { url, words, ends }: { url: string; words: number; ends: Record<string, number> },
): Promise<Defect | undefined> {
  const other = (text: string): Defect => ({ kind: 'wrong in another way', text });
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

/** Retries while a killed server is being restarted. */
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
