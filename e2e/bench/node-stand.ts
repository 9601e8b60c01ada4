import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import {
  addScriptedModel,
  isReady,
  Knowhow,
  repositoryRoot,
  switchRateLimitsOff,
} from '../start-knowhow.ts';
import { type OwnPostgres, type PostgresKind, startPostgres } from './own-postgres.ts';

const run = promisify(execFile);

/** Identical servers on one PostgreSQL. */
export interface Nodes {
  nodes: Knowhow[];
  postgres: OwnPostgres;
  /** For files of a test. */
  folder: string;
  stop(): Promise<void>;
}

/** Such servers behind HAProxy with the configuration of `deploy/haproxy.cfg`. */
export interface NodeStand extends Nodes {
  /** URL of the proxy. */
  url: string;
}

interface NodeOptions {
  count: number;
  kind?: PostgresKind;
  /** URL of the model. */
  providerUrl: string;
  /** Node options of the node with this index. */
  nodeArgs?: (index: number) => string[];
}

/** Throws if PostgreSQL or HAProxy is not installed. */
export async function startNodeStand(options: NodeOptions): Promise<NodeStand> {
  const started = await startNodes(options);
  const proxy = await startProxy(started.folder, started.nodes);
  return {
    ...started,
    url: proxy.url,
    stop: async () => {
      proxy.child.kill('SIGTERM');
      await started.stop();
    },
  };
}

/** Throws if PostgreSQL is not installed. */
export async function startNodes(options: NodeOptions): Promise<Nodes> {
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-nodes-'));
  const postgres = await startPostgres(options.kind);
  const shared = { DATABASE_URL: postgres.url, SECRET_KEY: randomBytes(32).toString('base64') };
  await pushContents(join(folder, 'pushed'), shared, options.providerUrl);
  const nodes: Knowhow[] = [];
  for (let index = 0; index < options.count; index += 1) {
    const args = options.nodeArgs?.(index) ?? [];
    const node = new Knowhow(join(folder, String(index)), await freePort(), args);
    Object.assign(node.env, shared, { TRUST_PROXY: 'loopback' });
    await mkdir(node.contentsDir, { recursive: true });
    await mkdir(node.dataDir);
    await node.run();
    nodes.push(node);
  }
  return {
    nodes,
    postgres,
    folder,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.dispose()));
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function pushContents(folder: string, shared: object, providerUrl: string): Promise<void> {
  const contents = join(folder, 'contents');
  await cp(join(repositoryRoot, 'contents'), contents, { recursive: true });
  await addScriptedModel(contents, providerUrl);
  await switchRateLimitsOff(contents);
  const env = { ...process.env, ...shared, DATA_DIR: join(folder, 'data'), CONTENTS_DIR: contents };
  const command = join(repositoryRoot, 'server/bin/knowhow.mjs');
  await run(process.execPath, [command, 'push', contents, '--yes'], { env });
}

async function startProxy(folder: string, nodes: readonly Knowhow[]) {
  const shipped = await readFile(join(repositoryRoot, 'deploy/haproxy.cfg'), 'utf8');
  const servers = nodes.map(({ url }, index) => `  server node${index} ${new URL(url).host}`);
  const config = join(folder, 'haproxy.cfg');
  const rest = shipped.split('\n').filter((line) => !line.startsWith('  server '));
  await writeFile(config, [...rest, ...servers, ''].join('\n'));
  const port = await freePort();
  const env = { ...process.env, BIND: `127.0.0.1:${port}` };
  const child = spawn('haproxy', ['-q', '-f', config], { env, stdio: 'ignore' });
  child.once('error', () => {
    console.error('HAProxy is not installed. Install the package haproxy.');
    process.exit(1);
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) {
      throw new Error(`HAProxy rejects ${config}.`);
    }
    await wait(50);
  }
  return { child, url };
}
