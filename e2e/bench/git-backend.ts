import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/** The system's git behind HTTP on loopback, with one repository. */
interface GitBackend {
  url: string;
  /** Adds a commit with these files to the ones before. */
  commit(files: ReadonlyMap<string, string | Uint8Array>): Promise<void>;
  dispose(): Promise<void>;
}

const environment = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

export async function startGitBackend(): Promise<GitBackend> {
  const root = await mkdtemp(join(tmpdir(), 'knowhow-git-'));
  const folder = join(root, 'skills.git');
  const git = (...args: string[]) =>
    promisify(execFile)('git', args, { cwd: root, env: environment });
  await git('init', '--quiet', '--bare', '--initial-branch=main', folder);
  await git('-C', folder, 'config', 'uploadpack.allowFilter', 'true');
  const backend = join((await git('--exec-path')).stdout.trim(), 'git-http-backend');
  const server = createServer((request, response) => answer(backend, root, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let commits = 0;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/skills.git`,
    commit: async (files) => {
      commits += 1;
      const child = spawn('git', ['-C', folder, 'fast-import', '--quiet'], { env: environment });
      const ended = once(child, 'exit');
      child.stdin.end(commitOf(files, commits));
      const [code] = await ended;
      if (code !== 0) {
        throw new Error(`git fast-import ended with ${code}.`);
      }
    },
    dispose: async () => {
      server.closeAllConnections();
      server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** https://git-scm.com/docs/git-fast-import */
function commitOf(files: ReadonlyMap<string, string | Uint8Array>, number: number): Buffer {
  const by = `committer Ann <ann@example.com> ${1_700_000_000 + number} +0000`;
  const parts = [`commit refs/heads/main\n${by}\ndata 1\nx\n`, number > 1 ? 'from main^0\n' : ''];
  const changes = [...files].flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`), bytes, newLine];
  });
  return Buffer.concat([...parts.map((part) => Buffer.from(part)), ...changes]);
}

const newLine = Buffer.from('\n');

/**
 * CGI: https://git-scm.com/docs/git-http-backend. Like `serveGit` of the server's tests, whose code is not compiled
 * for benches.
 */
function answer(
  backend: string,
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const child = spawn(backend, [], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    },
  });
  pipeline(request, child.stdin).catch(() => child.kill());
  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (!head) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end >= 0) {
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(/: (.*)/s);
        if (name === 'Status') {
          response.statusCode = Number.parseInt(value, 10);
        } else {
          response.setHeader(name, value);
        }
      }
      response.write(head.subarray(end + 4));
      head = undefined;
    }
  });
  child.on('close', () => response.end());
}
