import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { adminPassword } from '../start-knowhow.ts';
import { anonymousCookie } from './stand.ts';

/** People and programs that use a server, each in a loop. */
export interface SoakLoad {
  counts: { answers: number; writes: number; wrong: string[] };
  stop(): Promise<void>;
}

/** Open, silent streams, as when a model thinks for long. */
const idle = 500;
/** Streams with ten events a second. */
const active = 200;
/** Clients that disconnect in the middle of an answer. */
const disconnecting = 5;
const reading = 5;

interface Visit {
  url: string;
  cookie: string;
  counts: SoakLoad['counts'];
  /** Pending requests, which are aborted when the load ends. */
  underWay: Set<AbortController>;
  isOver: () => boolean;
}

/** Starts all of them; their sessions are anonymous, except for one admin. */
export async function startLoad(url: string): Promise<SoakLoad> {
  const underWay = new Set<AbortController>();
  let over = false;
  const counts: SoakLoad['counts'] = { answers: 0, writes: 0, wrong: [] };
  const visit = async (): Promise<Visit> => ({
    url,
    cookie: await anonymousCookie(url),
    counts,
    underWay,
    isOver: () => over,
  });
  const visits = await Promise.all(Array.from({ length: 20 }, visit));
  const admin = { ...(await visit()), cookie: await adminCookie(url) };
  const users = [
    ...startUsers(idle, (each) =>
      repeat(visits, each, (one) => chat(one, 'tokens=1 wait=3600000 every=0')),
    ),
    ...startUsers(active, (each) =>
      repeat(visits, each, (one) => chat(one, 'tokens=50 wait=100 every=100')),
    ),
    ...startUsers(disconnecting, (each) => repeat(visits, each, disconnectSoon)),
    ...startUsers(reading, (each) => repeat(visits, each, browse)),
    repeat([admin], 0, runAdminRound),
    repeat(visits, 0, readNothing),
  ];
  return {
    counts,
    stop: async () => {
      over = true;
      for (const request of underWay) {
        request.abort();
      }
      await Promise.all(users);
    },
  };
}

function startUsers(size: number, begin: (each: number) => Promise<void>): Promise<void>[] {
  return Array.from({ length: size }, (_, each) => begin(each));
}

/** Repeats until the load ends. */
async function repeat(
  visits: readonly Visit[],
  which: number,
  act: (visit: Visit) => Promise<void>,
): Promise<void> {
  const visit = visits[which % visits.length];
  while (visit && !visit.isOver()) {
    try {
      await act(visit);
    } catch (error) {
      if (!visit.isOver()) {
        visit.counts.wrong.push(String(error));
        await wait(1000);
      }
    }
  }
}

/** Starts a conversation and reads the answer to its end. */
async function chat(visit: Visit, wish: string, leaveAfterMs?: number): Promise<void> {
  const answer = await call(visit, `/api/apps/chat/chat/${randomUUID()}`, {
    json: { message: `bench ${wish}`, model: 'scripted' },
    leaveAfterMs,
  });
  const text = Buffer.from(answer).toString();
  if (!/event: done\n/.test(text) && !text.includes('model-')) {
    throw new Error(`An answer without an end: ${text.slice(-200)}`);
  }
  visit.counts.answers += 1;
}

async function disconnectSoon(visit: Visit): Promise<void> {
  await chat(visit, 'tokens=100 wait=100 every=50', Math.random() * 2000).catch(() => undefined);
}

async function browse(visit: Visit): Promise<void> {
  for (const path of ['/', '/api/ready', '/api/apps', '/api/skills', '/api/conversations']) {
    await call(visit, path);
    await wait(50);
  }
}

/** Requests a long answer on its own connection, and reads nothing of it. */
async function readNothing({ url, cookie }: Visit): Promise<void> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ message: 'bench tokens=20000 wait=0 every=0', model: 'scripted' });
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(
    [
      `POST /api/apps/chat/chat/${randomUUID()} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Cookie: ${cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  await wait(2000);
  socket.destroy();
}

/** One round of typical admin actions. */
async function runAdminRound(visit: Visit): Promise<void> {
  const skill = '/api/admin/skills/meeting-notes';
  const skillInput = { name: 'soaked', description: 'Is created and deleted.', body: 'Do it.' };
  const write = async (path: string, options: CallOptions) => {
    await call(visit, path, options);
    visit.counts.writes += 1;
    await wait(100);
  };
  await write(skill, { method: 'PUT', json: { enabled: false } });
  await write(skill, { method: 'PUT', json: { enabled: true } });
  await write(`${skill}/files/notes/soak.md`, { method: 'PUT', body: `At ${Date.now()}.` });
  await write('/api/admin/skills', { json: skillInput });
  const archive = await call(visit, '/api/admin/skills/soaked/export');
  await write('/api/admin/skills/import?overwrite=true', { method: 'POST', body: archive });
  await write('/api/admin/skills/soaked', { method: 'DELETE' });
  const backup = await call(visit, '/api/admin/backup/export?only=prompts,apps');
  await write('/api/admin/backup/import', { method: 'POST', body: backup });
}

interface CallOptions {
  method?: string;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  leaveAfterMs?: number | undefined;
}

/** Returns the response body. Throws unless the status is a success. */
async function call(
  { url, cookie, underWay }: Visit,
  path: string,
  { json, body, method, leaveAfterMs }: CallOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const sent = json === undefined ? body : JSON.stringify(json);
  const type = json === undefined ? 'application/zip' : 'application/json';
  const request = new AbortController();
  underWay.add(request);
  const timer =
    leaveAfterMs === undefined ? undefined : setTimeout(() => request.abort(), leaveAfterMs);
  try {
    const response = await fetch(url + path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: { cookie, origin: url, ...(sent === undefined ? {} : { 'content-type': type }) },
      signal: request.signal,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) {
      throw new Error(`${response.status} ${path}: ${Buffer.from(bytes).toString().slice(0, 300)}`);
    }
    return bytes;
  } finally {
    clearTimeout(timer);
    underWay.delete(request);
  }
}

async function adminCookie(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
