import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { backupApi } from '@knowhow/shared/config/backup';
import { beforeAll, expect, test } from 'vitest';
import { bundledScript } from '../../../testing/bundled-script.ts';
import { adminCookie } from '../../../testing/sign-in-admin.ts';
import { type Product, startProduct } from '../../../testing/start-product.ts';
import { defaultFiles } from '../../../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const megabyte = 1024 * 1024;
/** Size of the backup, in megabytes. */
const size = 60;
/** Memory limit of the server, whatever the backup's size: it measured 90 for 60 as well as for 400. */
const maxMemory = 120;
const maxDelayMs = 1000;

let script: string;
beforeAll(async () => {
  script = await bundledScript('main');
}, 60_000);

test('a large backup is exported and imported without filling memory or blocking others', async () => {
  const folder = await temporaryFolder();
  const contents = join(folder, 'contents');
  await writeFiles(contents, defaultFiles);
  await writeNoise(contents);
  const product = await startProduct(script, folder);
  const headers = { cookie: await adminCookie(product) };
  const before = await peakMemory(product);
  const watch = watchHealth(product);
  const file = join(folder, 'backup.zip');

  const exported = await open(request(`${product.url}/api/admin/backup/export`, { headers }));
  await pipeline(exported, createWriteStream(file));
  expect((await stat(file)).size).toBeGreaterThan(0.9 * size * megabyte);
  await rm(join(contents, 'noise'), { recursive: true });

  const send = async (query: string) => {
    const address = `${product.url}/api/admin/backup/import${query}`;
    const sending = request(address, { method: 'POST', headers });
    const [answer] = await Promise.all([open(sending), pipeline(createReadStream(file), sending)]);
    return backupApi.import.response.parse(JSON.parse(await text(answer)));
  };
  const tried = await send('?dryRun=true');
  expect(tried.plan).toMatchObject({ added: size, removed: 0, changed: 0, refused: [] });
  expect(await send('')).toMatchObject({ restored: true });
  expect((await send('?dryRun=true')).plan).toMatchObject({ added: 0, changed: 0 });

  expect(await watch.slowest()).toBeLessThan(maxDelayMs);
  const memory = (await peakMemory(product)) - before;
  expect(memory).toBeLessThan(maxMemory);
}, 600_000);

async function writeNoise(contents: string): Promise<void> {
  for (let file = 0; file < size; file += 1) {
    await writeFiles(contents, { [`noise/${file}`]: randomBytes(megabyte) });
  }
}

/** The response to a request, once its headers arrive. */
async function open(sending: ClientRequest): Promise<IncomingMessage> {
  if (sending.method === 'GET') {
    sending.end();
  }
  const [answer] = await once(sending, 'response');
  return answer;
}

/** Polls the server's health and measures the response time. */
function watchHealth({ url }: Product): { slowest(): Promise<number> } {
  let slowest = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now();
      const { status } = await fetch(`${url}/api/health`);
      slowest = Math.max(slowest, status === 200 ? performance.now() - asked : 1e9);
      await wait(20);
    }
  })();
  return {
    slowest: async () => {
      isOver = true;
      await asking;
      return slowest;
    },
  };
}

/** Peak memory of a process, in megabytes; 0 if the system does not report it. */
async function peakMemory({ process: { pid } }: Product): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
