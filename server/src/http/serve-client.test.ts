import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { securityHeaders } from './security.ts';
import { serveClient } from './serve-client.ts';

let stop: () => Promise<void>;
let address: string;

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'knowhow-client-'));
  const page =
    '<meta property="csp-nonce" nonce="NONCE-OF-THIS-ANSWER"><script nonce="NONCE-OF-THIS-ANSWER">';
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), page);
  await writeFile(join(directory, 'assets/a.js'), '');
  const app = express();
  app.use(securityHeaders(undefined));
  serveClient(app, directory);
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
  'the page at %s lets the styles hold that know the nonce of this answer, and no others',
  async (path) => {
    const [one, other] = [await fetch(address + path), await fetch(address + path)];
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policyOf(one))?.[1] ?? 'none';
    expect(await one.text()).toBe(
      `<meta property="csp-nonce" nonce="${nonce}"><script nonce="${nonce}">`,
    );
    expect(await other.text()).not.toContain(nonce);
    expect(policyOf(one)).toContain("style-src-attr 'none'");
    expect(policyOf(one)).not.toContain('unsafe-inline');
    expect(one.headers.get('cache-control')).toBe('no-cache');
  },
);

test('the page as a file does not show its nonce to be filled in', async () => {
  const response = await fetch(`${address}/index.html`);
  expect(await response.text()).not.toContain('NONCE-OF-THIS-ANSWER');
});

test('other files have no nonce', async () => {
  const response = await fetch(`${address}/assets/a.js`);
  expect(policyOf(response)).not.toContain('nonce');
  expect(response.headers.get('cache-control')).toContain('immutable');
});
