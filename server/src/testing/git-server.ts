import { execFile, execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ignore } from '../platform/lib/ignore.ts';
import { listenOn } from './listen-on.ts';
import { temporaryFolder } from './write-files.ts';

/** A file of a commit: text or bytes, a link, a submodule, or a tree that was written before. */
export type GitFile =
  | string
  | Uint8Array
  | { link: string }
  | { submodule: string }
  | { script: string };

/** The system's git behind HTTP on loopback. */
export interface GitServer {
  port: number;
  /** The folder of all repositories. */
  root: string;
  /** Address of a repository. */
  url(name: string): string;
  /** Lines such as `GET /one.git/info/refs`. */
  requests: string[];
  /** Answers a request instead of git, if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Adds a commit with exactly these files to a branch. Returns its number. */
  commit(name: string, files: Record<string, GitFile>, branch?: string): Promise<string>;
  /** Runs git in a repository. */
  git(name: string, args: string[], input?: string | Buffer): Promise<string>;
}

const run = promisify(execFile);
const backend = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');
/** The folders of the system's programs. */
// biome-ignore lint/style/noProcessEnv: only used by tests.
export const systemPath = process.env.PATH ?? '';
const environment = {
  PATH: systemPath,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Starts a server with `git http-backend`, which ends with the test. */
export async function startGitServer(): Promise<GitServer> {
  const root = await temporaryFolder();
  const folder = (name: string) => join(root, `${name}.git`);
  const known = new Set<string>();
  const requests: string[] = [];
  const server: GitServer = {
    port: 0,
    root,
    url: (name) => `http://127.0.0.1:${server.port}/${name}.git`,
    requests,
    intercept: () => false,
    git: (name, args, input) => runWithInput(folder(name), args, input),
    commit: async (name, files, branch = 'main') => {
      if (!known.has(name)) {
        known.add(name);
        await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder(name)]);
        await server.git(name, ['config', 'uploadpack.allowFilter', 'true']);
      }
      await server.git(name, ['fast-import', '--quiet', '--force'], importStream(files, branch));
      return (await server.git(name, ['rev-parse', branch])).trim();
    },
  };
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (!server.intercept(request, response)) {
      serveGit(root, request, response);
    }
  });
  server.port = await listenOn(http);
  return server;
}

function runWithInput(cwd: string, args: string[], input: string | Buffer = ''): Promise<string> {
  const child = run('git', args, { cwd, env: environment, maxBuffer: 2 ** 28 });
  // Git may end without reading it.
  child.child.stdin?.on('error', ignore).end(input);
  return child.then(({ stdout }) => stdout);
}

/** https://git-scm.com/docs/git-fast-import */
function importStream(files: Record<string, GitFile>, branch: string): Buffer {
  const parts: (string | Uint8Array)[] = [
    `commit refs/heads/${branch}\ncommitter Ann <ann@example.com> 1700000000 +0000\ndata 1\nx\n`,
  ];
  for (const [path, file] of Object.entries(files)) {
    if (typeof file === 'object' && 'submodule' in file) {
      parts.push(`M 160000 ${file.submodule} ${JSON.stringify(path)}\n`);
      continue;
    }
    const { mode, content } = contentOf(file);
    const bytes = Buffer.from(content);
    parts.push(`M ${mode} inline ${JSON.stringify(path)}\ndata ${bytes.length}\n`, bytes, '\n');
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function contentOf(file: Exclude<GitFile, { submodule: string }>) {
  if (typeof file === 'string' || file instanceof Uint8Array) {
    return { mode: '100644', content: Buffer.from(file) };
  }
  return 'link' in file
    ? { mode: '120000', content: Buffer.from(file.link) }
    : { mode: '100755', content: Buffer.from(file.script) };
}

/** CGI: https://git-scm.com/docs/git-http-backend */
function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
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
  pipeline(request, child.stdin).catch(ignore);
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
  response.on('close', () => child.kill('SIGKILL'));
}
