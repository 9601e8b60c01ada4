import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { conversationSchema } from '@knowhow/shared/chat/conversations';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundledScript } from './testing/bundled-script.ts';
import { type HeldProvider, startHeldProvider } from './testing/held-provider.ts';
import { type Product, runProduct, startProduct } from './testing/start-product.ts';
import { defaultFiles, modelWith } from './testing/start-test-server.ts';
import { parseEvents } from './testing/take-turn.ts';
import { waitFor } from './testing/wait-for.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

/** A start that is not retried: EX_CONFIG. */
const refused = 78;

let script: string;
/** Makes Node throw an uncaught error on `SIGUSR2`. */
const throwing =
  "--import=data:text/javascript,process.on('SIGUSR2',()=>{throw%20Error('planted')})";

let folder: string;
let provider: HeldProvider;

beforeAll(async () => {
  script = await bundledScript('main');
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  provider = await startHeldProvider();
  await writeFiles(join(folder, 'contents'), {
    ...defaultFiles,
    ...modelWith({ url: provider.url }),
  });
});

const start = (environment = {}) => startProduct(script, folder, environment);

/** A running turn of a separate visitor. */
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

/** The persisted answer. */
async function storedAnswer({ url }: Product, { id, cookie }: { id: string; cookie: string }) {
  const response = await fetch(`${url}/api/conversations/${id}`, { headers: { cookie } });
  const message = conversationSchema.parse(await response.json()).messages[1];
  return message?.role === 'assistant' ? message : undefined;
}

describe('a stop signal', () => {
  test('lets a running answer finish, accepts no connections meanwhile, and exits with 0', async () => {
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

  test('reports not ready first, and serves until the delay is over', async () => {
    const product = await start({ SHUTDOWN_DELAY_SECONDS: '4' });
    const before = await beginTurn(product);
    before.answer.say('One ');
    product.process.kill('SIGTERM');
    await product.says('stopping');
    const ready = await fetch(`${product.url}/api/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'not-ready' }]);
    expect((await fetch(`${product.url}/api/health`)).status).toBe(200);
    before.answer.end();
    expect((await before.events).at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
    const meanwhile = await beginTurn(product);
    meanwhile.answer.say('Two ');
    await waitFor(() =>
      fetch(`${product.url}/api/ready`).then(
        () => false,
        () => true,
      ),
    );
    meanwhile.answer.end();
    expect((await meanwhile.events).at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
    expect(await product.ended).toBe(0);
    const stored = await storedAnswer(await start(), meanwhile);
    expect(stored).toMatchObject({ content: 'Two ', status: 'complete' });
  });

  test('aborts an unfinished answer after ten seconds, and stores it', async () => {
    const product = await start();
    const turn = await beginTurn(product);
    turn.answer.say('One ');
    const since = performance.now();
    product.process.kill('SIGINT');
    expect((await turn.events).at(-1)).toEqual({ type: 'done', finishReason: 'interrupted' });
    expect(performance.now() - since).toBeGreaterThan(9900);
    expect(await product.ended).toBe(0);
    const stored = await storedAnswer(await start(), turn);
    expect(stored).toMatchObject({ content: 'One ', status: 'interrupted' });
  }, 40_000);

  test('does not wait for a connection without a request', async () => {
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

  test('exits immediately when repeated, but ignores npm’s immediate duplicate', async () => {
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

describe('an uncaught error', () => {
  test('is logged, lets a running answer finish, and exits with 70', async () => {
    const product = await start({ NODE_OPTIONS: throwing });
    const turn = await beginTurn(product);
    turn.answer.say('One ');
    product.process.kill('SIGUSR2');
    await product.says('"message":"planted"');
    await expect(fetch(`${product.url}/api/health`)).rejects.toThrow();
    product.process.kill('SIGUSR2');
    turn.answer.say('and two.');
    turn.answer.end();
    expect((await turn.events).at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
    expect(await product.ended).toBe(70);
    const stored = await storedAnswer(await start(), turn);
    expect(stored).toMatchObject({ content: 'One and two.', status: 'complete' });
  });

  test('includes unhandled rejections', async () => {
    const product = await start({
      NODE_OPTIONS: throwing.replace('throw', 'void%20Promise.reject(1)||'),
    });
    product.process.kill('SIGUSR2');
    expect(await product.ended).toBe(70);
  });
});

describe('a second server on the same data folder', () => {
  test('reports in one line who uses it, and does not start', async () => {
    const first = await start();
    const second = runProduct(script, folder);
    expect(await second.ended).toBe(refused);
    expect(second.output).toMatch(
      new RegExp(`^The data folder .+ is in use by .*: ${first.process.pid} on .+\n$`),
    );
    expect((await fetch(`${first.url}/api/ready`)).status).toBe(200);
  });

  test('starts after the first was killed', async () => {
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
    /^SKILLS_EXTRA_DIRS is wrong: Skill path not found or not a directory: .+/,
  ],
  [
    'an empty folder as contents',
    { 'none/x': '' },
    { CONTENTS_DIR: 'none' },
    /^CONTENTS_DIR is wrong: .+none contains no configuration and no skills\. .+ knowhow restore FILE\.$/m,
  ],
  ['an invalid proxy', {}, { TRUST_PROXY: 'banana' }, /^TRUST_PROXY is wrong: it takes /],
])('reports %s in one line', async (_, files, environment, message) => {
  await writeFiles(folder, files);
  const product = runProduct(script, folder, environment);
  expect(await product.ended).toBe(refused);
  expect(product.output).toMatch(message);
  expect(product.output.trim().split('\n')).toHaveLength(1);
});

test('reports unusable models, placeholders and sources at startup', async () => {
  await writeFiles(join(folder, 'contents'), {
    'models/paid.json': {
      ...{ id: 'paid', modelId: 'p', name: 'Paid', provider: 'openai' },
      url: 'https://paid.example/v1',
    },
    'apps/chat.json': { id: 'chat', name: 'Chat of ${PGPASSWORD}' },
    'config/skills.json': { settings: { sources: [{ path: '/etc' }] } },
  });
  const secrets = { OPENAI_API_KEY: 'LEAKME-1', PGPASSWORD: 'LEAKME-2' };
  const product = await start({ ...secrets, LOG_LEVEL: 'info' });
  await product.says(
    '  Paid needs MODEL_HOSTS=paid.example: the key of OPENAI_API_KEY is not sent to paid.example',
  );
  expect(product.output).toContain('field name: PGPASSWORD is called like a secret');
  expect(product.output).toContain('field settings.sources.0.path: No skills are read from /etc');
  expect(product.output).not.toContain('LEAKME');
});

test('writes only JSON to the log, and the initial password to standard error', async () => {
  const warning = "process.on('SIGUSR2',()=>process.emitWarning('planted','PlantedNotice'))";
  const product = await start({
    ADMIN_PASSWORD: '',
    DATA_DIR: join(folder, 'other'),
    HOST: '0.0.0.0',
    NODE_OPTIONS: `--import=data:text/javascript,${warning}`,
  });
  await product.says('An administrator was made');
  await fetch(`${product.url.replace('0.0.0.0', '127.0.0.1')}/api/apps`);
  await product.says('access denied');
  product.process.kill('SIGUSR2');
  await product.says('"msg":"planted"');
  product.process.kill('SIGTERM');
  expect(await product.ended).toBe(0);
  const lines = product.standardOutput.trim().split('\n');
  const levels = lines.map((line) => [JSON.parse(line).msg, JSON.parse(line).level]);
  expect(levels).toContainEqual(['ready', 30]);
  expect(levels).toContainEqual(['access denied', 30]);
  expect(levels).toContainEqual(['planted', 40]);
  expect(product.standardOutput).not.toContain('password');
});

test('names each variable of .env that has no effect', async () => {
  await writeFiles(folder, { '.env': 'LOG_LEVLE=debug\nHOTS=::1\nWHATEVER=1\nTZ=UTC\n' });
  const product = await start();
  await product.says('The variable LOG_LEVLE has no effect. Did you mean LOG_LEVEL?');
  await product.says('The variable HOTS has no effect. Did you mean HOST?');
  await product.says('The variable WHATEVER in .env has no effect: Knowhow knows no such name.');
  expect(product.output).not.toContain('variable TZ');
});

test('only warns of a missing folder of extra skills', async () => {
  const product = await start({ SKILLS_EXTRA_DIRS: '/nowhere' });
  await product.says('SKILLS_EXTRA_DIRS: Skill path does not exist: /nowhere.');
});

test('keeps the initial admin password for the next start if a start fails', async () => {
  const other = await start();
  const { port } = new URL(other.url);
  const data = { DATA_DIR: join(folder, 'other'), ADMIN_PASSWORD: '' };
  const failed = runProduct(script, folder, { ...data, PORT: port });
  expect(await failed.ended).toBe(refused);
  expect(failed.output).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use\./);
  expect(await readdir(data.DATA_DIR)).not.toContain('server.pid');
  const next = await start(data);
  await next.says('An administrator was made: name "admin", password "');
  await next.says('expires unless you sign in with it within seven days.');
});
