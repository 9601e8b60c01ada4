/**
 * Asks a server for its health every 50 ms, in a process of its own and from an address of its own, so
 * that neither the attacker's load nor the limits on the attacker's address are measured. What the
 * machine took is reported beside: how long the server's main thread was ready and got no processor, and
 * how long a server in this process that does nothing takes at the same instant. Reports to its parent what
 * it has measured since it was last asked, and ends with it.
 */
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Milliseconds that one question took. */
export interface HealthSample {
  server: number;
  /** Of that, what the machine took. */
  machine: number;
  /** The answer was none, or not one of health. */
  failed: boolean;
}

const everyMs = 50;
const from = '127.0.0.3';
const [url = '', pid = ''] = process.argv.slice(2);

let samples: HealthSample[] = [];
/** When the question was asked that is not answered yet. */
let asked: number | undefined;

const idle = createServer((_request, response) => response.end('{"status":"ok"}'));
idle.listen(0, '127.0.0.1', () => {
  const idleUrl = `http://127.0.0.1:${(idle.address() as AddressInfo).port}`;
  const idleAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const look = async () => {
    if (asked !== undefined) {
      return;
    }
    asked = performance.now();
    const waitedBefore = waitedMs();
    const [server, control] = await Promise.all([ask(url, agent), ask(idleUrl, idleAgent)]);
    const waited = waitedMs() - waitedBefore;
    samples.push({ server: server.ms, machine: waited + control.ms, failed: server.failed });
    asked = undefined;
  };
  // `look` never rejects: a request that fails is a sample.
  setInterval(() => {
    look().catch(() => undefined);
  }, everyMs);
  process.send?.('ready');
});
process.on('message', () => {
  if (asked !== undefined) {
    samples.push({ server: performance.now() - asked, machine: 0, failed: false });
  }
  process.send?.(samples);
  samples = [];
});
process.on('disconnect', () => process.exit());

/** Milliseconds that the server's main thread has waited for a processor so far. */
function waitedMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    // It has ended.
    return 0;
  }
}

function ask(base: string, agent: Agent): Promise<{ ms: number; failed: boolean }> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (failed: boolean) => resolve({ ms: performance.now() - started, failed });
    request(`${base}/api/health`, { agent, localAddress: from }, (response) => {
      response.resume().on('end', () => end(response.statusCode !== 200));
    })
      .on('error', () => end(true))
      .end();
  });
}
