import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import express from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findEmbedders } from '../../modules/content/embed-origins.ts';
import { securityHeaders } from './security-headers.ts';
import { serveClient } from './serve-client.ts';

let stop: () => Promise<void>;
let address: string;
let imageHosts: string[] | undefined;
let isInstallable: boolean;
const embed = { origins: ['https://www.example.org'] };
const apps = new Map(
  [
    { id: 'chat', name: 'Chat', embed },
    { id: 'off', name: 'Off', enabled: false, embed },
    { id: 'plain', name: 'Plain' },
  ].map((app) => [app.id, appConfigSchema.parse(app)]),
);

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'knowhow-client-'));
  const page =
    '<meta property="csp-nonce" nonce="NONCE-OF-THIS-ANSWER"><script nonce="NONCE-OF-THIS-ANSWER">';
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'assets/a.js'), '');
  await writeFile(join(directory, 'diagram-frame.html'), '');
  await writeFile(join(directory, 'diagram-frame.js'), '');
  await writeFile(join(directory, 'embed.js'), '');
  await writeFile(join(directory, 'service-worker.js'), '// The worker.');
  await writeFile(join(directory, 'index.html'), `<link rel="manifest" href="/m" />${page}`);
  imageHosts = undefined;
  isInstallable = true;
  const app = express();
  app.use(securityHeaders(undefined));
  serveClient(app, {
    clientDirectory: directory,
    settings: () => ({ isInstallable, imageHosts }),
    embedders: (id) => findEmbedders(apps, id),
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = async () => {
    server.close();
    await rm(directory, { recursive: true });
  };
});
afterEach(() => stop());

const policyOf = ({ headers }: Response) => headers.get('content-security-policy') ?? '';

test.each(['/', '/c/1', '/admin/skills'])(
  "the page at %s allows only styles with this response's nonce",
  async (path) => {
    const [one, other] = [await fetch(address + path), await fetch(address + path)];
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policyOf(one))?.[1] ?? 'none';
    expect(await one.text()).toBe(
      `<link rel="manifest" href="/m" /><meta property="csp-nonce" nonce="${nonce}"><script nonce="${nonce}">`,
    );
    expect(await other.text()).not.toContain(nonce);
    expect(policyOf(one)).toContain("style-src-attr 'none'");
    expect(policyOf(one)).not.toContain('unsafe-inline');
    expect(one.headers.get('cache-control')).toBe('no-cache');
  },
);

test('the page as a file does not expose its nonce placeholder', async () => {
  const response = await fetch(`${address}/index.html`);
  expect(await response.text()).not.toContain('NONCE-OF-THIS-ANSWER');
});

test('other files have no nonce', async () => {
  const response = await fetch(`${address}/assets/a.js`);
  expect(policyOf(response)).not.toContain('nonce');
  expect(response.headers.get('cache-control')).toContain('immutable');
});

test('images may come only from here, and from the currently configured hosts', async () => {
  expect(policyOf(await fetch(address))).toContain("img-src 'self' data: blob:;");
  imageHosts = ['images.example.org', 'cdn.example.org:8443'];
  expect(policyOf(await fetch(address))).toContain(
    "img-src 'self' data: blob: https://images.example.org https://cdn.example.org:8443;",
  );
});

test.each(['https://example.org', 'a.org/b', '*', 'a.org; script-src *', "'unsafe-inline'", ''])(
  'rejects an invalid host: %s',
  (host) => {
    expect(platformConfigSchema.safeParse({ answers: { imageHosts: [host] } }).success).toBe(false);
  },
);

test('the diagram frame has an opaque origin, runs our scripts and loads nothing else', async () => {
  const policy = policyOf(await fetch(`${address}/diagram-frame.html`)).split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      'sandbox allow-scripts',
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'self' https://www.example.org",
    ]),
  );
  const loading = policy.filter((line) => !line.startsWith('frame-ancestors'));
  expect(loading.join()).not.toMatch(/allow-same-origin|connect-src|img-src|https?:/);
  for (const script of ['diagram-frame.js', 'assets/a.js']) {
    const { headers } = await fetch(`${address}/${script}`);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  const page = await fetch(address);
  expect(page.headers.get('access-control-allow-origin')).toBeNull();
  expect(policyOf(page)).toContain("frame-src 'self'");
  expect(policyOf(page)).toContain("frame-ancestors 'none'");
});

test("an app's chat can be framed by the pages that its app lists, and nothing else by anyone", async () => {
  const framed = await fetch(`${address}/embed/chat`);
  expect(policyOf(framed)).toContain('frame-ancestors https://www.example.org');
  expect(framed.headers.get('x-frame-options')).toBeNull();
  expect(framed.headers.get('referrer-policy')).toBe('same-origin');
  const others = [
    'embed/chat/sign-in',
    'embed/off',
    'embed/plain',
    'embed/none',
    'embed',
    'apps/chat',
  ];
  for (const path of [...others, 'embed/chat/more', 'login', 'c/1']) {
    const response = await fetch(`${address}/${path}`);
    expect(policyOf(response), path).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-frame-options'), path).toBe('SAMEORIGIN');
  }
});

test('other pages may load the script for embedding', async () => {
  const { headers } = await fetch(`${address}/embed.js`);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test.each([
  'https://www.example.org/',
  'https://*.example.org',
  'www.example.org',
  'https://a.org; script-src *',
  "'self'",
  'null',
  '*',
])('does not accept an invalid origin: %s', (origin) => {
  const app = { id: 'chat', name: 'Chat', embed: { origins: [origin] } };
  expect(appConfigSchema.safeParse(app).success).toBe(false);
});

test('the page can be installed unless that is switched off: then browsers unregister it', async () => {
  const linked = async () => (await (await fetch(address)).text()).includes('rel="manifest"');
  const worker = async () => (await fetch(`${address}/service-worker.js`)).text();
  expect(await linked()).toBe(true);
  expect(await worker()).toBe('// The worker.');
  isInstallable = false;
  expect(await linked()).toBe(false);
  expect(await worker()).toContain('unregister()');
});
