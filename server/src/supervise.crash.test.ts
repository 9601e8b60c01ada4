import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundledScript } from './testing/bundled-script.ts';
import { startHeldProvider } from './testing/held-provider.ts';
import { runProduct, startProduct } from './testing/start-product.ts';
import { defaultFiles, modelWith } from './testing/start-test-server.ts';
import { waitFor } from './testing/wait-for.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

let serve: string;
let folder: string;

beforeAll(async () => {
  serve = join(await bundledScript('main'), '../../bin/serve.mjs');
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), defaultFiles);
});

/** PID of the serving process. */
async function serverPid(): Promise<number> {
  return JSON.parse(await readFile(join(folder, 'data/server.pid'), 'utf8')).pid;
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('restarts a killed server with increasing backoff', async () => {
  const product = await startProduct(serve, folder);
  for (const pause of ['1 s', '2 s']) {
    const pid = await serverPid();
    process.kill(pid, 'SIGKILL');
    await product.says(`The server has died (SIGKILL). It starts again in ${pause}.`);
    await waitFor(async () => (await serverPid().catch(() => pid)) !== pid);
    await waitFor(() => product.output.split('Knowhow is ready').length > 2);
  }
  product.process.kill('SIGTERM');
  expect(await product.ended).toBe(0);
}, 60_000);

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops both gracefully', async (signal) => {
  const product = await startProduct(serve, folder);
  const pid = await serverPid();
  product.process.kill(signal);
  await product.says('stopping; a second signal ends it at once');
  expect(await product.ended).toBe(0);
  expect(isRunning(pid)).toBe(false);
});

test('stops both on a signal to the server alone', async () => {
  const product = await startProduct(serve, folder);
  process.kill(await serverPid(), 'SIGTERM');
  expect(await product.ended).toBe(0);
});

test('exits on a second signal while waiting for an answer', async () => {
  const provider = await startHeldProvider();
  await writeFiles(join(folder, 'contents'), modelWith({ url: provider.url }));
  const product = await startProduct(serve, folder);
  const turn = product.visitor()(`/api/apps/chat/chat/${crypto.randomUUID()}`, {
    json: { message: 'Well?' },
  });
  (await provider.asked()).say('One ');
  await (await turn).body?.getReader().read();
  product.process.kill('SIGINT');
  await product.says('stopping');
  await waitFor(() => {
    product.process.kill('SIGINT');
    return product.process.exitCode !== null;
  });
  expect(await product.ended).toBe(1);
});

test('exits on a signal during the backoff', async () => {
  const product = await startProduct(serve, folder);
  process.kill(await serverPid(), 'SIGKILL');
  await product.says('It starts again in 1 s.');
  product.process.kill('SIGTERM');
  expect(await product.ended).toBe(0);
});

test('stops when its supervisor was killed, and releases port and folder', async () => {
  const product = await startProduct(serve, folder);
  const pid = await serverPid();
  product.process.kill('SIGKILL');
  await waitFor(() => !isRunning(pid));
  const { port } = new URL(product.url);
  const next = await startProduct(serve, folder, { PORT: port });
  expect((await fetch(`${next.url}/api/ready`)).status).toBe(200);
});

describe.skipIf(process.platform !== 'linux')('a server started by npm through a shell', () => {
  /** Runs `sh -c node …` like npm, and waits for it. */
  async function launcher(): Promise<string> {
    const bin = dirname(serve);
    const supervised = join(folder, 'supervised.mjs');
    const script = join(folder, 'launcher.mjs');
    await writeFiles(folder, {
      'supervised.mjs': `
        import { watchLauncher } from '${bin}/launcher.mjs';
        import { serverScript, supervise } from '${bin}/supervise.mjs';
        supervise(serverScript, watchLauncher());`,
      'launcher.mjs': `
        import { spawn } from 'node:child_process';
        const args = ['-c', '"$0" "$1"; true', process.execPath, '${supervised}'];
        spawn('sh', args, { stdio: 'inherit' });`,
    });
    return script;
  }

  test.each(['launcher', 'shell'] as const)('stops when the %s is killed', async (killed) => {
    const product = await startProduct(await launcher(), folder);
    const pid = await serverPid();
    const victim = killed === 'launcher' ? product.process.pid : await shellOf(pid);
    process.kill(victim ?? 0, 'SIGKILL');
    await waitFor(() => !isRunning(pid));
  });

  /** The shell that runs the supervisor. */
  async function shellOf(pid: number): Promise<number> {
    return parentOf(await parentOf(pid));
  }
});

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(/^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1]);
}

test('does not retry a start rejected for a reported reason', async () => {
  const product = runProduct(serve, folder, { TRUST_PROXY: 'banana' });
  expect(await product.ended).toBe(78);
  expect(product.output).toMatch(/^TRUST_PROXY is wrong: .+\n$/);
});
