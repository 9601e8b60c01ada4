import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionsApi } from '@knowhow/shared/config/connections';
import { describe, expect, onTestFinished, test } from 'vitest';
import { locales } from '../../../platform/lib/locales.ts';
import { startAuthorizationServer } from '../../../testing/authorization-server.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { startProtectedServer } from '../../../testing/protected-server.ts';
import { rawRequest } from '../../../testing/raw-request.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

const platform = {
  ...defaultFiles['config/platform.json'],
  outbound: { allowPrivate: ['127.0.0.1'] },
};

const permissions = { apps: ['*'], models: ['*'], tools: ['wiki/search'] };
const groups = {
  groups: {
    ...defaultFiles['config/groups.json'].groups,
    staff: { id: 'staff', name: 'Staff', permissions },
  },
};

async function stage(options: Parameters<typeof startTestServer>[0] = {}) {
  const issuer = await startAuthorizationServer();
  const tools = await startProtectedServer(issuer);
  const wiki = { url: tools.url, title: 'The <Wiki>', auth: { type: 'oauth' }, groups: ['staff'] };
  const server = await startTestServer({
    ...options,
    files: {
      'config/platform.json': platform,
      'config/groups.json': groups,
      'config/mcp.json': { mcpServers: { wiki } },
      ...options.files,
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  const ben = await signInNew(server, admin, { username: 'ben', groups: ['staff'] });
  return {
    issuer,
    tools,
    server,
    admin,
    ann: ann.visitor,
    annId: ann.id,
    cookie: ann.cookie,
    ben: ben.visitor,
  };
}

const begin = async (visitor: Visitor) => {
  const answer = visitor('/api/account/connections/wiki/sign-in', { method: 'POST' });
  return (await parseAnswer(connectionsApi.begin.response, answer)).url;
};
const list = async (visitor: Visitor) =>
  (await parseAnswer(connectionsApi.list.response, visitor('/api/account/connections'))).items;

describe('an account’s connections', () => {
  test.each([...locales])('end with a page in the language %s', async (language, texts) => {
    const { issuer, ann, ben } = await stage();
    const headers = { 'accept-language': `${language}-XX` };
    const back = await issuer.browse(await begin(ann));
    const path = back.pathname + back.search;
    const { done, doneText, failed } = texts.connectionPage;
    const refused = await (await ben(path, { headers })).text();
    expect(refused).toContain(`<html lang="${language}">`);
    expect(refused).toContain(`<h1>${failed}</h1>`);
    const page = await (await ann(path, { headers })).text();
    expect(page).toContain(`<h1>${done}</h1>`);
    expect(page).toContain(doneText.replace('{{server}}', 'The &lt;Wiki&gt;'));
  });

  test('are created in a browser, listed, and ended', async () => {
    const { issuer, server, admin, ann, ben } = await stage();
    const back = await issuer.browse(await begin(ann));
    expect(back.origin).toBe(server.url);
    const path = back.pathname + back.search;
    const foreign = await ben(path);
    expect([foreign.status, await foreign.text()]).toEqual([
      404,
      expect.stringContaining('not begun here'),
    ]);
    const page = await ann(path, { headers: { 'accept-language': 'de' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('Sie sind bei The &lt;Wiki&gt; angemeldet.');
    expect(await list(ann)).toMatchObject([
      {
        server: 'wiki',
        title: 'The <Wiki>',
        status: 'signed-in',
        issuer: new URL(issuer.issuer).host,
      },
    ]);
    expect(await list(ben)).toMatchObject([{ server: 'wiki', status: 'signed-out' }]);
    const audit = await (await admin('/api/admin/audit?kind=connection')).json();
    expect(audit).toMatchObject({
      items: [{ action: 'signed-in', target: 'wiki', userName: 'ann' }],
    });
    const ended = ann('/api/account/connections/wiki', { method: 'DELETE' });
    expect(await (await ended).json()).toEqual({ revoked: true });
    expect(await list(ann)).toMatchObject([{ server: 'wiki', status: 'signed-out' }]);
    expect((await ann('/api/account/connections/wiki', { method: 'DELETE' })).status).toBe(404);
  });

  test('are for people with an account, to servers they may use', async () => {
    const { server, admin, issuer } = await stage();
    const path = '/api/account/connections/wiki/sign-in';
    const guest = server.visitor();
    expect((await guest(path, { method: 'POST' })).status).toBe(403);
    expect((await guest('/api/account/connections/callback?state=a&code=b')).status).toBe(403);
    expect(await list(guest)).toEqual([]);
    const refused = await admin(path, { method: 'POST' });
    const unknown = await admin(path.replace('wiki', 'other'), { method: 'POST' });
    expect([refused.status, unknown.status]).toEqual([404, 404]);
    expect(issuer.asked).toEqual([]);
  });

  test('are deleted with their user', async () => {
    const { issuer, server, admin, ann, annId } = await stage();
    const back = await issuer.browse(await begin(ann));
    await ann(back.pathname + back.search);
    expect(await list(ann)).toHaveLength(1);
    await admin(`/api/admin/users/${annId}?conversations=delete`, { method: 'DELETE' });
    await server.stop();
    const database = await openTestDatabase(join(server.folder, 'data'));
    onTestFinished(() => database.destroy());
    expect(await database.selectFrom('mcp_tokens').selectAll().execute()).toEqual([]);
  });

  test('require a private server to be allowed (SSRF)', async () => {
    const { ann } = await stage({ files: { 'config/platform.json': {} } });
    const answer = await ann('/api/account/connections/wiki/sign-in', { method: 'POST' });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringMatching(
        /^Signing in to The <Wiki> has failed: 127.0.0.1 is a private address.*outbound.allowPrivate/,
      ),
    });
  });
});

describe('the redirect URL', () => {
  test('uses the public address, where issuers can fetch our client metadata', async () => {
    const environment = { PUBLIC_URL: 'https://knowhow.example.org' };
    const { ann, server } = await stage({ environment });
    const address = new URL(await begin(ann));
    const callback = 'https://knowhow.example.org/api/account/connections/callback';
    expect(address.searchParams.get('redirect_uri')).toBe(callback);
    const client = await fetch(`${server.url}/api/oauth/client.json`);
    expect(await client.json()).toMatchObject({
      client_id: 'https://knowhow.example.org/api/oauth/client.json',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
    });
  });

  test('cannot be forged by a request', async () => {
    const { cookie, server, issuer } = await stage({ environment: { HOST: '0.0.0.0' } });
    const path = '/api/account/connections/wiki/sign-in';
    const lines = [
      'Host: evil.example',
      `Cookie: ${cookie}`,
      'Content-Length: 0',
      'Connection: close',
    ];
    const answer = await rawRequest(
      server.url,
      [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'),
    ).ended;
    expect(answer).toMatch(/^HTTP\/1.1 409 [\s\S]*Set PUBLIC_URL/);
    expect(issuer.asked).toEqual([]);
  });
});

describe('their encryption key', () => {
  test("is generated once, readable by the server's user only, and kept", async () => {
    const first = await startTestServer();
    const path = join(first.folder, 'data/secret.key');
    const key = await readFile(path, 'utf8');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await first.close();
    const second = await startTestServer({ folder: first.folder });
    onTestFinished(second.close);
    expect(await readFile(path, 'utf8')).toBe(key);
  });

  test('is not generated if the environment has one', async () => {
    const server = await startTestServer({
      environment: { SECRET_KEY: randomBytes(32).toString('base64') },
    });
    onTestFinished(server.close);
    await expect(stat(join(server.folder, 'data/secret.key'))).rejects.toThrow('ENOENT');
  });

  test('aborts startup if its file is damaged, and is not overwritten', async () => {
    const server = await startTestServer();
    await server.close();
    const path = join(server.folder, 'data/secret.key');
    await writeFile(path, 'damaged');
    await expect(startTestServer({ folder: server.folder })).rejects.toThrow('holds no key');
    expect(await readFile(path, 'utf8')).toBe('damaged');
  });
});
