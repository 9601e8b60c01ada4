import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { bundledScript } from './bundled-script.ts';
import { listenOn } from './listen-on.ts';
import { type Child, readPorts, runChild } from './run-child.ts';
import { adminCookie } from './sign-in-admin.ts';
import type { Nodes } from './start-nodes.ts';
import { adminPassword, createVisitor, type Visitor } from './start-test-server.ts';
import { temporaryFolder } from './write-files.ts';

/** Nodes in separate processes behind a round-robin proxy. */
export interface NodeFleet {
  /** Through the proxy. */
  admin: Visitor;
  members: FleetMember[];
  /** How often each question was sent to models, across all processes. */
  asked: ReadonlyMap<string, number>;
}

export interface FleetMember {
  folder: string;
  child: Child;
  /** Port of the current process. */
  port: number;
  /** Bypasses the proxy. */
  admin: Visitor;
  /** Kills the process with SIGKILL and restarts it. */
  crash(): Promise<void>;
}

/**
 * @param words number of words in an answer, one every 5 ms; the last node's clock is an hour ahead
 */
export async function startFleet(nodes: Nodes, count: number, words: number): Promise<NodeFleet> {
  const asked = new Map<string, number>();
  const script = await bundledScript('crashing-server');
  const start = async (folder: string, isLast: boolean) => {
    const env = {
      ...nodes.environment,
      ADMIN_PASSWORD: adminPassword,
      WORDS: String(words),
      ...(isLast ? { CLOCK_SHIFT_MS: '3600000' } : {}),
    };
    const child = runChild(script, { args: [folder], env });
    child.process.on('message', ({ asked: question }: { asked?: string }) => {
      asked.set(question ?? '', (asked.get(question ?? '') ?? 0) + 1);
    });
    await child.says('loaded');
    child.process.stdin?.write('start\n');
    const [port] = await readPorts(child);
    return { child, port: Number(port) };
  };
  let cookie = '';
  const open = async (isLast: boolean): Promise<FleetMember> => {
    const folder = await temporaryFolder();
    const { child, port } = await start(folder, isLast);
    const url = `http://127.0.0.1:${port}`;
    cookie ||= await adminCookie({ url });
    const member: FleetMember = {
      folder,
      child,
      port,
      admin: createVisitor(url, cookie),
      crash: async () => {
        member.child.process.kill('SIGKILL');
        await member.child.ended;
        Object.assign(member, await start(folder, isLast));
        member.admin = createVisitor(`http://127.0.0.1:${member.port}`, cookie);
      },
    };
    return member;
  };
  const members: FleetMember[] = [];
  for (let number = 1; number <= count; number += 1) {
    members.push(await open(number === count));
  }
  const proxy = await roundRobin(() => members.map(({ port }) => port));
  return { admin: createVisitor(`http://127.0.0.1:${proxy}`, cookie), members, asked };
}

/**
 * Retries on the next node if a connection is refused, but not after an interruption. Returns its
 * port.
 */
async function roundRobin(ports: () => number[]): Promise<number> {
  let turn = 0;
  const pass = (
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    left: number,
  ) => {
    const all = ports();
    turn += 1;
    const { method, headers, url: path } = incoming;
    const port = all[turn % all.length] ?? 0;
    const passed = request({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response).catch(() => response.destroy());
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && left > 1) {
        pass(incoming, body, response, left - 1);
      } else {
        response.destroy();
      }
    });
    response.on('close', () => passed.destroy());
    passed.end(body);
  };
  const server = createServer((incoming, response) => {
    buffer(incoming).then(
      (body) => pass(incoming, body, response, ports().length),
      () => response.destroy(),
    );
  });
  return listenOn(server);
}
