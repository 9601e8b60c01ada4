import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHelper } from '../bench/stand.ts';
import { changeJson } from '../change-json.ts';
import { takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { type PeerKind, payloads } from './hostile-payloads.ts';

/** Number of payloads per kind in the short form. */
const shortPayloads = 3;
/** Configuration changes apply within two seconds, and starting servers takes a moment. */
const appliedWithinMs = 15_000;
/** Timeout of a request that waits for a peer. */
const timeoutMs = 30_000;

/** Calls tools of hostile MCP servers over HTTP, and lists their resources. */
export async function attackFromMcpServers(field: Field): Promise<void> {
  await withPeer(async (peer) => {
    const names = namesFor(field, 'mcp');
    await useMcpServers(field, names, (name) => ({ url: `${peer}/mcp/${name}` }));
    await expectAsked(field, peer, 'mcp', names);
  });
}

/** The same with stdio MCP servers that Knowhow starts. */
export async function attackFromStartedServers(field: Field): Promise<void> {
  const script = fileURLToPath(new URL('./hostile-peer.js', import.meta.url));
  await useMcpServers(field, namesFor(field, 'stdio'), (name) => ({
    command: process.execPath,
    args: [script, 'stdio', name],
  }));
}

async function useMcpServers(field: Field, names: string[], serverFor: (name: string) => object) {
  const folder = field.knowhow.contentsDir;
  const mcp = join(folder, 'config/mcp.json');
  await withFile(join(folder, 'apps/chat.json'), { tools: ['*'] }, async () => {
    const servers = names.map((name) => [name, serverFor(name)]);
    await writeFile(mcp, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
    try {
      await until(field, async () => {
        const { body } = await field.ask({ method: 'GET', path: '/api/admin/tools' }, asAdmin);
        return names.every((name) => body.includes(`"${name}"`));
      });
      for (const name of names.filter(() => !field.isOver)) {
        await field.askJson('POST', `/api/admin/tool-sources/${name}/connect`, {}, asAdmin);
        const path = `/api/admin/tools/${name}__plain/try`;
        const { body } = await field.askJson('POST', path, { input: {} }, asAdmin);
        field.check(isRefused(name, body), `${name} was answered with ${body.subarray(0, 300)}`);
      }
      await field.ask({ method: 'GET', path: '/api/apps/chat/resources' }, asAdmin);
    } finally {
      await rm(mcp);
    }
  });
}

/** Whether a call failed because of the response; a server that lists no tools has none to call. */
function isRefused(name: string, body: Buffer): boolean {
  const hasTools = payloads.stdio[name]?.method !== 'tools/list';
  return body.includes(hasTools ? '"isError":true' : '"code":"not-found"');
}

/** Starts sign-ins to MCP servers and OpenID providers with hostile metadata and keys. */
export async function attackFromSignIns(field: Field): Promise<void> {
  await withPeer(async (peer) => {
    const folder = field.knowhow.contentsDir;
    const [metadata, keys] = [namesFor(field, 'sign-in'), namesFor(field, 'keys')];
    const providers = [
      ...metadata.map((name) => ({ name: `m-${name}`, issuer: `${peer}/sign-in/${name}` })),
      ...keys.map((name) => ({ name: `k-${name}`, issuer: `${peer}/keys/${name}` })),
    ].map((each) => ({ ...each, clientId: 'knowhow' }));
    const servers = metadata.map((name) => [
      name,
      { url: `${peer}/mcp-sign-in/${name}`, auth: { type: 'oauth' } },
    ]);
    const mcp = join(folder, 'config/mcp.json');
    await writeFile(mcp, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
    try {
      await withFile(join(folder, 'config/platform.json'), { oidcAuth: { providers } }, () =>
        signIn(field, { providers, metadata }),
      );
    } finally {
      await rm(mcp);
    }
    await expectAsked(field, peer, 'sign-in', metadata);
    await expectAsked(field, peer, 'keys', keys);
  });
}

interface Targets {
  providers: { name: string; issuer: string }[];
  /** Names of MCP servers. */
  metadata: string[];
}

async function signIn(field: Field, { providers, metadata }: Targets): Promise<void> {
  const last = providers.at(-1)?.name;
  await until(field, async () => {
    const { status } = await field.ask({ method: 'GET', path: `/api/auth/oidc/${last}` });
    return status !== 404;
  });
  for (const { name, issuer } of providers.filter(() => !field.isOver)) {
    await field.ask({ method: 'GET', path: `/api/auth/oidc/${name}` }, { timeoutMs });
    const body = `logout_token=${logoutToken(issuer)}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = `/api/auth/oidc/${name}/logout`;
    await field.ask({ method: 'POST', path, headers, body }, { timeoutMs });
  }
  for (const name of metadata.filter(() => !field.isOver)) {
    await field.askJson('POST', `/api/account/connections/${name}/sign-in`, {}, asAdmin);
  }
}

/** Runs turns with models of a hostile provider. */
export async function attackFromModels(field: Field): Promise<void> {
  await withPeer(async (peer) => {
    const names = namesFor(field, 'model');
    const file = (name: string) =>
      join(field.knowhow.contentsDir, 'models', `hostile-${name}.json`);
    for (const name of names) {
      const model = { id: `hostile-${name}`, modelId: name, name, description: name };
      const rest = { provider: 'local', url: `${peer}/model/${name}`, contextWindow: 128_000 };
      await writeFile(file(name), JSON.stringify({ ...model, ...rest }));
    }
    await until(field, async () => {
      const { body } = await field.ask({ method: 'GET', path: '/api/models' }, asAdmin);
      return names.every((name) => body.includes(`"hostile-${name}"`));
    });
    for (const name of names.filter(() => !field.isOver)) {
      const model = `hostile-${name}`;
      await takeTurn(field, { as: 'user', message: 'Go on.', model, timeoutMs, replay: model });
    }
    await Promise.all(names.map((name) => rm(file(name))));
    await expectAsked(field, peer, 'model', names);
  });
}

/** Has a hostile embedder compute the vectors of all skills. */
export async function attackFromEmbedders(field: Field): Promise<void> {
  await withPeer(async (peer) => {
    for (const name of namesFor(field, 'embedder').filter(() => !field.isOver)) {
      const embedder = {
        provider: 'local',
        modelId: name,
        url: `${peer}/embedder/${name}`,
      };
      const platform = join(field.knowhow.contentsDir, 'config/platform.json');
      await withFile(platform, { embedder }, () =>
        until(field, async () => (await readRequests(peer)).includes(`embedder/${name}`)),
      );
    }
  });
}

/** Polls the state of a hostile remote runner. */
export async function attackFromRunner(field: Field): Promise<void> {
  const peer = new URL(field.runner?.url ?? '').origin;
  const names = namesFor(field, 'runner');
  for (const name of names.filter(() => !field.isOver)) {
    await fetch(`${peer}/next/${name}`);
    const { body } = await field.askJson('POST', '/api/admin/runner/sync', {}, asAdmin);
    const isRefused = body.includes('The runner does not answer.');
    field.check(isRefused, `${name} was answered with ${body.subarray(0, 300)}`);
  }
  await expectAsked(field, peer, 'runner', names);
}

const asAdmin = { as: 'admin', timeoutMs } as const;

function namesFor({ options }: Field, kind: PeerKind): string[] {
  const names = Object.keys(payloads[kind]);
  return options.isShort ? names.slice(0, shortPayloads) : names;
}

async function withPeer(attack: (url: string) => Promise<void>): Promise<void> {
  const { child, url } = await startHelper('../attack/hostile-peer.js', 'http');
  try {
    await attack(new URL(url).origin);
  } finally {
    child.kill();
  }
}

/** Runs with additional fields in a configuration file, then restores it. */
async function withFile(file: string, fields: object, run: () => Promise<void>): Promise<void> {
  const before = await readFile(file, 'utf8');
  await changeJson(file, fields);
  try {
    await run();
  } finally {
    await writeFile(file, before);
  }
}

async function until(field: Field, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + appliedWithinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      field.fail('A configuration change did not take effect.');
      return;
    }
    await wait(100);
  }
}

async function readRequests(peer: string): Promise<string[]> {
  const response = await fetch(`${peer}/asked`);
  return (await response.json()) as string[];
}

/** Fails an attack that reached nothing, which would prove nothing. */
async function expectAsked(field: Field, peer: string, kind: PeerKind, names: string[]) {
  const asked = await readRequests(peer);
  const missing = names.filter((name) => !asked.includes(`${kind}/${name}`));
  field.check(
    field.isOver || missing.length === 0,
    `The peer was not asked for ${kind}: ${missing}.`,
  );
}

/** A token per OpenID Connect Back-Channel Logout 1.0, with an invalid signature. */
function logoutToken(issuer: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: 'knowhow',
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
    sub: 'a',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  };
  const parts = [{ alg: 'RS256', kid: 'a', typ: 'logout+jwt' }, claims];
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...encoded, 'AAAA'].join('.');
}
