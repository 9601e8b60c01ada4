import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

export const adminPassword = 'seven calm herons';

/** Two levels up once compiled, one level up as source. */
export const repositoryRoot = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../..' : '..', import.meta.url),
);

interface KnowhowOptions {
  /** Changes the copy of `contents/` before the first start. */
  prepare?: (contentsDir: string) => Promise<void>;
  /** Options for Node itself, such as `--cpu-prof`. */
  nodeArgs?: string[];
  /** Additional environment variables. */
  environment?: Record<string, string>;
}

/** Starts the built product on a free port, on a copy of `contents/` and an empty data folder. */
export async function startKnowhow(options: KnowhowOptions = {}): Promise<Knowhow> {
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-e2e-'));
  const knowhow = new Knowhow(folder, await freePort(), options.nodeArgs ?? []);
  await cp(join(repositoryRoot, 'contents'), knowhow.contentsDir, { recursive: true });
  await mkdir(knowhow.dataDir);
  await options.prepare?.(knowhow.contentsDir);
  Object.assign(knowhow.env, options.environment);
  await knowhow.run();
  return knowhow;
}

/**
 * A step of `prepare`: adds a model of the provider at `url`, and makes it the default. It generates no
 * titles, so that it receives only the reader's requests.
 */
export async function addScriptedModel(contentsDir: string, url: string): Promise<void> {
  const model = {
    id: 'scripted',
    modelId: 'scripted-1',
    name: 'House model',
    description: 'Runs on our own machines.',
    provider: 'local',
    url,
    supportsTools: true,
    contextWindow: 128_000,
    default: true,
  };
  await writeFile(join(contentsDir, 'models', 'scripted.json'), JSON.stringify(model));
  const platform = join(contentsDir, 'config', 'platform.json');
  const config: object = JSON.parse(await readFile(platform, 'utf8'));
  await writeFile(platform, JSON.stringify({ ...config, titles: { byModel: false } }));
}

/**
 * A step of `prepare`: switches rate limits off, because all load comes from one address, whereas real users come from
 * many.
 */
export async function switchRateLimitsOff(contentsDir: string): Promise<void> {
  const file = join(contentsDir, 'config', 'platform.json');
  const platform = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  const rateLimit = { requests: 0, turns: 0, failedLogins: 0, streams: 0 };
  await writeFile(file, JSON.stringify({ ...platform, rateLimit }));
}

/** Whether the server at this URL is ready. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** The built product in its own process. */
export class Knowhow {
  readonly url: string;
  readonly contentsDir: string;
  readonly dataDir: string;
  /** Passes on no keys of this machine, so that every machine offers the same models. */
  readonly env: Record<string, string>;
  private readonly folder: string;
  private readonly nodeArgs: string[];
  private child: ChildProcess | undefined;
  private output = '';

  constructor(folder: string, port: number, nodeArgs: string[]) {
    this.folder = folder;
    this.nodeArgs = nodeArgs;
    this.url = `http://127.0.0.1:${port}`;
    this.contentsDir = join(folder, 'contents');
    this.dataDir = join(folder, 'data');
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      CONTENTS_DIR: this.contentsDir,
      DATA_DIR: this.dataDir,
      ADMIN_PASSWORD: adminPassword,
    };
  }

  get pid(): number {
    const pid = this.child?.pid;
    if (pid === undefined) {
      throw new Error('Knowhow is not running.');
    }
    return pid;
  }

  get isRunning(): boolean {
    return this.child !== undefined && isRunning(this.child);
  }

  /** The server's most recent output on stdout and stderr. */
  get lastOutput(): string {
    return this.output;
  }

  /** Starts the server, also after `end`, and waits until it is ready. Throws after `waitMs`. */
  async run(waitMs = 20_000): Promise<void> {
    const child = spawn(process.execPath, [...this.nodeArgs, 'server/dist/main.js'], {
      cwd: repositoryRoot,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-20_000);
      });
    }
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    await this.becomesReady(child, waitMs);
  }

  /** Ends the server gracefully (`SIGTERM`) or like a crash (`SIGKILL`). */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child && isRunning(child)) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
  }

  /** Kills the server if it still runs, and deletes its files. */
  async dispose(): Promise<void> {
    await this.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async becomesReady(child: ChildProcess, waitMs: number): Promise<void> {
    const deadline = Date.now() + waitMs;
    while (!(await isReady(this.url))) {
      if (!isRunning(child) || Date.now() > deadline) {
        throw new Error(`Knowhow did not become ready. Output:\n${this.output}`);
      }
      await wait(20);
    }
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
