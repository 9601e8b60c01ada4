import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  adminPassword,
  createVisitor,
  defaultFiles,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

let server: TestServer;

const chat = defaultFiles['apps/chat.json'];
const embed = { origins: ['https://www.example.org'] };
const files = {
  'apps/chat.json': { ...chat, embed },
  'apps/other.json': { ...chat, id: 'other', embed },
  'apps/plain.json': { ...chat, id: 'plain' },
};

beforeEach(async () => {
  server = await startTestServer({ files });
});
afterEach(() => server.close());

/** The embedded chat of an app in a page of another site, with the headers that browsers send. */
function frameOf(app: string, cookie?: string): Visitor {
  const visitor = createVisitor(server.url, cookie);
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('referer', `${server.url}/embed/${app}`);
    headers.set('sec-fetch-site', 'same-origin');
    return visitor(path, { ...init, headers });
  };
}

const signedIn = async () => {
  const visitor = server.visitor();
  await visitor('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
  return visitor;
};

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

const handOver = async (window: Visitor, app: string, verifier: string) => {
  const json = { challenge: challengeOf(verifier) };
  const response = await window(`/api/embed/${app}/hand-over`, { json });
  return { status: response.status, ...((await response.json()) as { code: string }) };
};

test('a user signs in inside a frame through a popup window, for this app only', async () => {
  const verifier = newVerifier();
  const window = await signedIn();
  const { code } = await handOver(window, 'chat', verifier);
  const frame = frameOf('chat');
  expect(await (await frame('/api/auth/me')).json()).toMatchObject({ anonymous: true });
  const answer = await frame('/api/embed/chat/sign-in', { json: { code, verifier } });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-knowhow_embed_chat=.*; Path=\/; .*HttpOnly; Secure; Partitioned; SameSite=None$/,
  );
  const me = await (await frame('/api/auth/me')).json();
  expect(me).toMatchObject({ name: 'Admin', anonymous: false, isAdmin: false });
  const apps = (await (await frame('/api/apps')).json()) as { items: { id: string }[] };
  expect(apps.items.map(({ id }) => id)).toEqual(['chat']);
  const conversationId = randomUUID();
  const turn = await takeTurn(frame, { app: 'chat', conversationId, message: 'Hello' });
  expect(turn.status).toBe(200);
  expect((await takeTurn(frame, { app: 'other', message: 'Hello' })).status).toBe(404);
  for (const path of [
    '/api/admin/status',
    '/api/conversations',
    '/api/account/keys',
    '/api/folders',
  ]) {
    expect((await frame(path)).status, path).toBe(403);
  }
  // They own the conversation, in Knowhow itself as well; what they said to another app is not visible here.
  const address = `/api/conversations/${conversationId}`;
  expect((await window(address)).status).toBe(200);
  expect((await frame(address)).status).toBe(200);
  const elsewhere = await takeTurn(window, { app: 'other', message: 'Hello' });
  const theirs = `/api/conversations/${elsewhere.conversationId}`;
  expect((await window(theirs)).status).toBe(200);
  expect((await frame(theirs)).status).toBe(404);
  expect((await frame(`${theirs}/export?format=json`)).status).toBe(403);
});

test('a code is valid once, for the frame that requested it and for its app', async () => {
  const verifier = newVerifier();
  const { code } = await handOver(await signedIn(), 'chat', verifier);
  const signIn = (visitor: Visitor, app: string, sent: object) =>
    visitor(`/api/embed/${app}/sign-in`, { json: { code, verifier, ...sent } });
  for (const refused of [
    await signIn(frameOf('chat'), 'chat', { verifier: newVerifier() }),
    await signIn(frameOf('other'), 'other', {}),
    await signIn(server.visitor(), 'chat', {}),
    await signIn(frameOf('chat'), 'chat', { code: 'a.b.c' }),
  ]) {
    expect(refused.status).toBe(401);
  }
  const answers = await Promise.all([
    signIn(frameOf('chat'), 'chat', {}),
    signIn(frameOf('chat'), 'chat', {}),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  const asCookie = createVisitor(server.url, `knowhow_session=${code}`);
  expect(await (await asCookie('/api/auth/me')).json()).toMatchObject({ anonymous: true });
});

test('only signed-in users can hand over a session, and only for apps that can be embedded', async () => {
  const window = await signedIn();
  expect(await handOver(window, 'plain', newVerifier())).toMatchObject({ status: 404 });
  expect(await handOver(window, 'none', newVerifier())).toMatchObject({ status: 404 });
  expect(await handOver(server.visitor(), 'chat', newVerifier())).toMatchObject({ status: 401 });
});

test("a guest keeps their identity in a frame, and a frame's cookie is valid nowhere else", async () => {
  const frame = frameOf('chat');
  const first = await frame('/api/auth/me');
  const { id } = (await first.json()) as { id: string };
  expect(await (await frame('/api/auth/me')).json()).toMatchObject({ id });
  const [name, token] = (first.headers.getSetCookie()[0]?.split(';')[0] ?? '').split('=');
  expect(name).toBe('__Host-knowhow_embed_chat');
  for (const elsewhere of [
    createVisitor(server.url, `${name}=${token}`),
    createVisitor(server.url, `knowhow_session=${token}`),
    frameOf('other', `__Host-knowhow_embed_other=${token}`),
  ]) {
    expect(await (await elsewhere('/api/auth/me')).json()).not.toMatchObject({ id });
  }
});

test('a session of Knowhow itself is not valid in a frame, and signing out in a frame ends only that', async () => {
  const login = await server.visitor()('/api/auth/login', {
    json: { username: 'admin', password: adminPassword },
  });
  const session = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const window = createVisitor(server.url, session);
  expect(await (await frameOf('chat', session)('/api/auth/me')).json()).toMatchObject({
    anonymous: true,
  });
  const verifier = newVerifier();
  const { code } = await handOver(window, 'chat', verifier);
  const frame = frameOf('chat');
  const signedInFrame = await frame('/api/embed/chat/sign-in', { json: { code, verifier } });
  const kept = signedInFrame.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await frame('/api/auth/logout', { json: {} });
  expect(await (await frameOf('chat', kept)('/api/auth/me')).json()).toMatchObject({
    anonymous: true,
  });
  expect(await (await window('/api/auth/me')).json()).toMatchObject({ name: 'Admin' });
});

test('a page that embeds the frame cannot write with its cookie (CSRF)', async () => {
  const response = await frameOf('chat')('/api/apps/chat/chat/x', {
    json: { message: 'Hello' },
    headers: { origin: 'https://www.example.org' },
  });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'foreign-origin' });
});
