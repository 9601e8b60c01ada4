import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** The route of a chat: directly to the provider, through the relay, or through Knowhow. */
export interface Target {
  name: 'direct' | 'relay' | 'knowhow';
  /** A new chat in one of the concurrent slots. */
  chat: (slot: number, message: string) => ChatRequest;
}

interface ChatRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Measurements of one chat. */
export interface ChatSample {
  /** Milliseconds from the start of the request to the first token. */
  firstTokenMs: number;
  /** Latency of each token from the provider, in milliseconds. */
  tokenDelaysMs: number[];
}

export interface LoadSample {
  chats: ChatSample[];
  /** Milliseconds from the first request to the end of the last answer. */
  elapsedMs: number;
}

/** Number of chats, and the provider's behaviour in each. */
export interface Load {
  /** Number of concurrent chats. */
  chats: number;
  /** Consecutive chats per slot; default: 1. */
  inARow?: number;
  /** Milliseconds over which the starts are spread; default: all at once. */
  spreadMs?: number;
  tokens: number;
  /** Milliseconds before the provider's first token. */
  waitMs?: number;
  /** Milliseconds between tokens. */
  everyMs?: number;
}

/**
 * Runs the chats and waits for all answers. Throws if one is incomplete. Each slot has its own connection, as
 * users have.
 */
export async function runChats(target: Target, load: Load): Promise<LoadSample> {
  const { chats, inARow = 1, spreadMs = 0, tokens, waitMs = 0, everyMs = 0 } = load;
  const message = `bench tokens=${tokens} wait=${waitMs} every=${everyMs}`;
  const samples: ChatSample[] = [];
  const agent = new Agent({ keepAlive: true });
  const started = nowMs();
  await Promise.all(
    Array.from({ length: chats }, async (_, slot) => {
      if (spreadMs > 0) {
        await wait((slot * spreadMs) / chats);
      }
      for (let held = 0; held < inARow; held++) {
        samples.push(await chat(target.chat(slot, message), { agent, tokens }));
      }
    }),
  );
  const elapsedMs = nowMs() - started;
  agent.destroy();
  return { chats: samples, elapsedMs };
}

export function openAiTarget(name: 'direct' | 'relay', baseUrl: string): Target {
  return {
    name,
    chat: (_slot, message) => ({
      url: `${baseUrl}/chat/completions`,
      headers: {},
      body: { model: 'bench', stream: true, messages: [{ role: 'user', content: message }] },
    }),
  };
}

/** Every session uses one of the servers; every chat is a new conversation. */
export function knowhowTarget(servers: string[], cookies: string[]): Target {
  return {
    name: 'knowhow',
    chat: (slot, message) => {
      const session = slot % cookies.length;
      const server = servers[session % servers.length] ?? '';
      return {
        url: `${server}/api/apps/chat/chat/${randomUUID()}`,
        headers: { cookie: cookies[session] ?? '', origin: server },
        body: { message, model: 'scripted' },
      };
    },
  };
}

function chat(
  wanted: ChatRequest,
  { agent, tokens }: { agent: Agent; tokens: number },
): Promise<ChatSample> {
  return new Promise((resolve, reject) => {
    const started = nowMs();
    const body = JSON.stringify(wanted.body);
    const outgoing = request(wanted.url, {
      method: 'POST',
      agent,
      headers: {
        ...wanted.headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      readAnswer(response, started, tokens).then(resolve, reject);
    });
    outgoing.end(body);
  });
}

async function readAnswer(
  response: IncomingMessage,
  started: number,
  tokens: number,
): Promise<ChatSample> {
  let firstTokenMs: number | undefined;
  const tokenDelaysMs: number[] = [];
  let rest = '';
  for await (const piece of response.setEncoding('utf8')) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    const arrived = nowMs();
    for (const event of events) {
      for (const stamp of getStamps(event)) {
        firstTokenMs ??= arrived - started;
        tokenDelaysMs.push(arrived - Number(stamp) / 1000);
      }
    }
  }
  if (response.statusCode !== 200 || !firstTokenMs || tokenDelaysMs.length !== tokens) {
    throw new Error(`${response.statusCode}, ${tokenDelaysMs.length} of ${tokens} tokens. ${rest}`);
  }
  return { firstTokenMs, tokenDelaysMs };
}

/** The timestamps in one server-sent event, in OpenAI's or Knowhow's format. */
function getStamps(event: string): string[] {
  const start = event.indexOf('data: ');
  if (start < 0 || event.startsWith('[DONE]', start + 6)) {
    return [];
  }
  const data = JSON.parse(event.slice(start + 6)) as {
    code?: string;
    message?: string;
    content?: string;
    choices?: { delta: { content?: string } }[];
  };
  if (data.code) {
    throw new Error(`${data.code}: ${data.message}`);
  }
  const content = data.choices?.[0]?.delta.content ?? data.content ?? '';
  return content === '' ? [] : content.trimEnd().split(' ');
}

/** From the monotonic clock that all processes of the machine share. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
