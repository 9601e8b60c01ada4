import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { conversationSchema } from '@knowhow/shared/conversations';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleScripts } from './testing/bundle-scripts.ts';
import { type HeldProvider, startHeldProvider } from './testing/held-provider.ts';
import { type Product, runProduct, startProduct } from './testing/start-product.ts';
import { defaultFiles } from './testing/start-test-server.ts';
import { parseEvents } from './testing/take-turn.ts';
import { waitFor } from './testing/wait-for.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

let script: string;
let folder: string;
let provider: HeldProvider;

beforeAll(async () => {
  [script] = await bundleScripts(new URL('./main.ts', import.meta.url));
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  provider = await startHeldProvider();
  await writeFiles(join(folder, 'contents'), {
    ...defaultFiles,
    'models/scripted.json': {
      id: 'scripted',
      modelId: 'held',
      name: 'Scripted',
      provider: 'local',
      url: provider.url,
    },
  });
});

const start = (environment = {}) => startProduct(script, folder, environment);

/** A turn under way, of a visitor of its own. */
async function beginTurn(product: Product) {
  const id = randomUUID();
  const response = await fetch(`${product.url}/api/apps/chat/chat/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Well?' }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const events = response.text().then(parseEvents, () => []);
  return { id, cookie, events, answer: await provider.asked() };
}

/** The answer as it is stored. */
async function storedAnswer({ url }: Product, { id, cookie }: { id: string; cookie: string }) {
  const response = await fetch(`${url}/api/conversations/${id}`, { headers: { cookie } });
  const message = conversationSchema.parse(await response.json()).messages[1];
  return message?.role === 'assistant' ? message : undefined;
}

describe('a signal to stop', () => {
  test('lets a running answer end, takes no connection meanwhile, and ends with 0', async () => {
    const product = await start();
    const turn = await beginTurn(product);
    turn.answer.say('One ');
    product.process.kill('SIGTERM');
    await product.says('stopping');
    await expect(fetch(`${product.url}/api/health`)).rejects.toThrow();
    turn.answer.say('and two.');
    turn.answer.end();
    expect((await turn.events).at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
    expect(await product.ended).toBe(0);
    const stored = await storedAnswer(await start(), turn);
    expect(stored).toMatchObject({ content: 'One and two.', status: 'complete' });
  });

  test('stops after ten seconds an answer that has not ended, and stores it', async () => {
    const product = await start();
    const turn = await beginTurn(product);
    turn.answer.say('One ');
    const since = performance.now();
    product.process.kill('SIGINT');
    expect((await turn.events).at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
    expect(performance.now() - since).toBeGreaterThan(9900);
    expect(await product.ended).toBe(0);
    const stored = await storedAnswer(await start(), turn);
    expect(stored).toMatchObject({ content: 'One ', status: 'stopped' });
  }, 40_000);

  test('does not wait for a connection that has asked nothing yet', async () => {
    const product = await start();
    const { hostname, port } = new URL(product.url);
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    silent.write('GET /api/health HTTP/1.1\r\n');
    silent.on('error', () => {});
    const since = performance.now();
    product.process.kill('SIGTERM');
    expect(await product.ended).toBe(0);
    expect(performance.now() - since).toBeLessThan(5000);
  });

  test('that comes again ends it at once; one in the same moment is npm passing it on', async () => {
    const product = await start();
    await beginTurn(product);
    product.process.kill('SIGINT');
    product.process.kill('SIGINT');
    await product.says('stopping');
    expect(product.process.exitCode).toBeNull();
    const since = performance.now();
    await waitFor(() => {
      product.process.kill('SIGINT');
      return product.process.exitCode !== null;
    });
    expect(await product.ended).toBe(1);
    expect(performance.now() - since).toBeLessThan(5000);
  });
});

describe('a second server on the same data', () => {
  test('says in one line who has it, and ends with 1', async () => {
    const first = await start();
    const second = runProduct(script, folder);
    expect(await second.ended).toBe(1);
    expect(second.output).toMatch(
      new RegExp(`^The data folder .+ is in use by .*: ${first.process.pid} on .+\n$`),
    );
    expect((await fetch(`${first.url}/api/ready`)).status).toBe(200);
  });

  test('starts when the first was killed', async () => {
    const first = await start();
    first.process.kill('SIGKILL');
    await first.ended;
    expect((await fetch(`${(await start()).url}/api/ready`)).status).toBe(200);
  });
});

test.each([
  [
    'a data folder that is a file',
    { data: 'a file' },
    {},
    /^The data folder .+ cannot be written: .+/,
  ],
  ['a database that is a folder', { 'data/knowhow.sqlite/x': '' }, {}, /knowhow\.sqlite cannot be/],
  ['a lock that is a folder', { 'data/server.lock/x': '' }, {}, /server\.lock cannot be opened/],
  ['no contents', {}, { CONTENTS_DIR: '/nowhere' }, /^CONTENTS_DIR is wrong: .+ is not there\./],
  [
    'a file as contents',
    { x: '' },
    { CONTENTS_DIR: 'x' },
    /^CONTENTS_DIR is wrong: .+ is no folder/,
  ],
  [
    'a file as extra skills',
    { x: '' },
    { SKILLS_EXTRA_DIRS: 'contents:x' },
    /^SKILLS_EXTRA_DIRS is wrong: it takes a folder, and .+ is no folder/,
  ],
  ['no proxy', {}, { TRUST_PROXY: 'banana' }, /^TRUST_PROXY is wrong: it takes /],
])('%s is told in one line', async (_, files, environment, message) => {
  await writeFiles(folder, files);
  const product = runProduct(script, folder, environment);
  expect(await product.ended).toBe(1);
  expect(product.output).toMatch(message);
  expect(product.output.trim().split('\n')).toHaveLength(1);
});

test('a folder of extra skills that is not there yet is only warned of', async () => {
  const product = await start({ SKILLS_EXTRA_DIRS: '/nowhere' });
  await product.says('There is no folder /nowhere (SKILLS_EXTRA_DIRS)');
});

test('a start that fails keeps the password of the admin for the next one', async () => {
  const other = await start();
  const { port } = new URL(other.url);
  const data = { DATA_DIR: join(folder, 'other'), ADMIN_PASSWORD: '' };
  const failed = runProduct(script, folder, { ...data, PORT: port });
  expect(await failed.ended).toBe(1);
  expect(failed.output).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use\./);
  expect(await readdir(data.DATA_DIR)).not.toContain('server.pid');
  const next = await start(data);
  await next.says('An administrator was made: name "admin", password "');
});
