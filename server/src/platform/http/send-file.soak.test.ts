import { mkdir, open, readdir, readlink, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import type { Response } from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rawRequest, requestText } from '../../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { readerTimeout } from './disconnect-slow-readers.ts';
import { sendFile } from './send-file.ts';

const address = '/api/skills/meeting-notes/files/big.bin';
const megabyte = 1024 * 1024;

let server: TestServer;
let file: string;
beforeEach(async () => {
  server = await startTestServer();
  file = join(server.folder, 'contents/skills/meeting-notes/big.bin');
});
afterEach(() => server.close());

const lives = async () => (await server.visitor()('/api/health')).status === 200;

/** Open descriptors of this process for the file. */
async function openDescriptors(): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return targets.filter((target) => target.includes('big.bin')).length;
}

/** Reads the file repeatedly until stopped. */
function keepReading() {
  let over = false;
  const read = async () => {
    while (!over) {
      const response = await fetch(server.url + address).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
    }
  };
  const readers = Array.from({ length: 8 }, read);
  return async () => {
    over = true;
    await Promise.all(readers);
  };
}

describe('a file that is being read', () => {
  const bytes = Buffer.alloc(2 * megabyte, 1);

  test.each<[string, () => Promise<void>]>([
    ['removed', () => rm(file)],
    ['truncated', () => truncate(file, 1)],
    ['emptied', () => truncate(file, 0)],
    ['grown', () => writeFile(file, bytes, { flag: 'a' })],
    [
      'replaced',
      async () => {
        await writeFile(`${file}.new`, bytes.subarray(megabyte));
        await rename(`${file}.new`, file);
      },
    ],
    ['replaced by a folder', () => rm(file).then(() => mkdir(file))],
  ])('may be %s meanwhile, and the server survives', async (_, change) => {
    await writeFile(file, bytes);
    const stop = keepReading();
    for (let round = 0; round < 15; round += 1) {
      await change();
      await lives();
      await rm(file, { recursive: true, force: true });
      await writeFile(file, bytes);
    }
    await stop();
    expect(await lives()).toBe(true);
    const whole = await (await fetch(server.url + address)).arrayBuffer();
    expect(whole.byteLength).toBe(bytes.length);
  });

  test('and is truncated ends the connection: no part is mistaken for the whole', async () => {
    await writeFile(file, Buffer.alloc(40 * megabyte, 1));
    const { socket, ended } = rawRequest(server.url, requestText(`GET ${address}`));
    await waitFor(() => socket.bytesRead > 0);
    socket.pause();
    await truncate(file, 1);
    socket.resume();
    expect((await ended).length).toBeLessThan(40 * megabyte);
    expect(await lives()).toBe(true);
  });
});

test.runIf(process.platform === 'linux').each([
  ['uncompressed', []],
  ['compressed', ['Accept-Encoding: gzip']],
])('60 aborted downloads, %s, leak no descriptor', async (_, headers) => {
  await writeFile(file.replace('.bin', '.bin.txt'), Buffer.alloc(40 * megabyte, 'Know. '));
  const request = requestText(`GET ${address}.txt`, headers);
  const downloads = Array.from({ length: 60 }, () => rawRequest(server.url, request).socket);
  await waitFor(() => downloads.every(({ bytesRead }) => bytesRead > 0));
  expect(await openDescriptors()).toBeGreaterThan(0);
  for (const download of downloads) {
    download.destroy();
  }
  await waitFor(async () => (await openDescriptors()) === 0);
});

test.runIf(process.platform === 'linux')('an unread download is ended', async () => {
  server.app.http.set(readerTimeout, 300);
  await writeFile(file, Buffer.alloc(40 * megabyte));
  const { socket } = rawRequest(server.url, requestText(`GET ${address}`));
  socket.pause();
  await waitFor(async () => (await openDescriptors()) === 1);
  await waitFor(async () => (await openDescriptors()) === 0);
});

test('an unreadable file is a problem that names it', async () => {
  // A folder opens like a file, and fails at the first byte, also for root.
  const hold = async () => {
    const handle = await open(server.folder);
    const head = async () => (await handle.read(Buffer.alloc(1), 0, 1, 0)).buffer;
    return { size: 0, head, stream: () => handle.createReadStream(), close: () => handle.close() };
  };
  const unread = { size: 0, read: () => Promise.reject(new Error('Not asked for.')), hold };
  await expect(sendFile({} as Response, 'a.bin', unread)).rejects.toThrow(
    problem('not-found', "The file 'a.bin' cannot be read (EISDIR). Check it on the disk."),
  );
});

test('HEAD returns the size and sends nothing', async () => {
  await writeFile(file, Buffer.alloc(megabyte));
  const { ended } = rawRequest(server.url, requestText(`HEAD ${address}`));
  const answer = await ended;
  expect(answer).toContain(`Content-Length: ${megabyte}`);
  expect(answer.endsWith('\r\n\r\n')).toBe(true);
});

test('a file may have any name', async () => {
  for (const name of ['x.constructor', 'x.__proto__', 'x.toString']) {
    await writeFile(join(file, '..', name), Buffer.from([0, 1, 2]));
    const response = await fetch(`${server.url}/api/skills/meeting-notes/files/${name}`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
  }
});
