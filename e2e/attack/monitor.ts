/**
 * Polls a server's health every 50 ms. It has its own process and address, so that neither the attacker's
 * load nor its rate limits distort the result. Also reports what the machine took: how long the server's main
 * thread was runnable without a CPU, and how long an idle server in this process takes at the same instant.
 * Reports new samples to its parent on request, and exits with it.
 */
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Duration of one health check in milliseconds. */
export interface HealthSample {
  server: number;
  /** Part of it that the machine took. */
  machine: number;
  /** No response, or not a healthy one. */
  failed: boolean;
}

const everyMs = 50;
const from = '127.0.0.3';
const [url = '', pid = ''] = process.argv.slice(2);

let samples: HealthSample[] = [];
/** Start of the pending check. */
let pendingSince: number | undefined;

const idle = createServer((_request, response) => response.end('{"status":"ok"}'));
idle.listen(0, '127.0.0.1', () => {
  const idleUrl = `http://127.0.0.1:${(idle.address() as AddressInfo).port}`;
  const idleAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const poll = async () => {
    if (pendingSince !== undefined) {
      return;
    }
    pendingSince = performance.now();
    const waitedBefore = waitedMs();
    const [server, control] = await Promise.all([ask(url, agent), ask(idleUrl, idleAgent)]);
    const waited = waitedMs() - waitedBefore;
    samples.push({ server: server.ms, machine: waited + control.ms, failed: server.failed });
    pendingSince = undefined;
  };
  // `look` never rejects: a request that fails is a sample.
  setInterval(() => {
    poll().catch(() => undefined);
  }, everyMs);
  process.send?.('ready');
});
process.on('message', () => {
  if (pendingSince !== undefined) {
    samples.push({ server: performance.now() - pendingSince, machine: 0, failed: false });
  }
  process.send?.(samples);
  samples = [];
});
process.on('disconnect', () => process.exit());

/** Milliseconds that the server's main thread has waited for a CPU so far. */
function waitedMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    // The process has ended.
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
