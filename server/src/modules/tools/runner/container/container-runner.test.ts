import { expect, onTestFinished, test } from 'vitest';
import { tarBytes } from '../../../../testing/raw-tar.ts';
import { runText } from '../../../../testing/sandbox.ts';
import {
  type EngineRule,
  frame,
  startScriptedEngine,
} from '../../../../testing/scripted-engine.ts';
import { bytesOf, type ScriptedResponse } from '../../../../testing/scripted-http.ts';
import { shortenTimeouts } from '../../../../testing/shorten-timeouts.ts';
import { waitFor } from '../../../../testing/wait-for.ts';
import { createContainerRunner } from './container-runner.ts';
import type { ScriptImages } from './container-settings.ts';

const images = { sh: 'shell', python: 'snake', node: 'snake' };

/** A runner with a scripted engine. */
async function start(rule?: EngineRule, own: ScriptImages = images) {
  const scripted = await startScriptedEngine(rule);
  const engine = { host: '127.0.0.1', port: scripted.port };
  const runner = createContainerRunner({ engine, images: own, owner: 'this-test' });
  onTestFinished(runner.close);
  await runner.look();
  return { ...scripted, runner, run: () => runText('sh', 'true', { runner }) };
}

/** A rule for one API call. */
function on(call: string, answer: ScriptedResponse): EngineRule {
  return (asked) => (asked.call === call ? answer : undefined);
}

const large = { path: './large.txt', content: 'x'.repeat(2000) };
const mebibyte = 1024 ** 2;
const attach = 'POST /containers/{}/attach';

test('runs each script in its own hardened container', async () => {
  const { run, runner, specs, left } = await start();
  expect(runner.runtimes).toEqual({ sh: '5.2', python: '3.12.1', node: '22.1.0' });
  const results = await Promise.all([run(), run()]);
  expect(results).toEqual(
    Array(2).fill(expect.objectContaining({ end: 'exit', exitCode: 0, stdout: 'done\n' })),
  );
  expect(specs()).toHaveLength(4);
  expect(specs()[2]).toMatchObject({
    ...{ User: '65534:65534', Image: 'shell', Cmd: ['sh', '/skill/scripts/main'] },
    HostConfig: {
      ...{ NetworkMode: 'none', IpcMode: 'none', ReadonlyRootfs: true, CapDrop: ['ALL'] },
      SecurityOpt: ['no-new-privileges', expect.stringMatching(/^seccomp=\{/)],
      ...{ PidsLimit: 68, Memory: 512 * 1024 ** 2, MemorySwap: 512 * 1024 ** 2 },
      VolumesFrom: [expect.stringMatching(/-volumes:ro$/)],
      Tmpfs: { '/job': expect.stringContaining('size=67108864,nr_inodes=2048') },
    },
  });
  expect(left()).toEqual([]);
});

test('names missing images and languages, and runs the others', async () => {
  const missing = { status: 404, chunks: ['{"message":"No such image"}'] };
  const first = (await start(on('GET /images/snake/json', missing))).runner;
  expect([first.status, first.runtimes]).toEqual(['ready', { sh: '5.2' }]);
  expect(first.problems()).toEqual([
    'The image "snake" is not there. Get it with "docker pull snake".',
  ]);
  const onlySh: EngineRule = ({ call, mark }) =>
    call === attach ? { chunks: [frame(`sh: 5.2\n\n${mark} 0\n`)] } : undefined;
  const { runner } = await start(onlySh, { sh: 'shell', python: 'snake' });
  expect([runner.status, runner.runtimes]).toEqual(['ready', { sh: '5.2' }]);
  expect(runner.problems()).toEqual(['The image "snake" has no python3.']);
  await expect(runText('python', '', { runner })).rejects.toThrow('no image that can run python');
});

test('probes an image again after a transient failure and after an engine change', async () => {
  const full = on('POST /containers/{}/start', { status: 500, chunks: ['{"message":"no space"}'] });
  const { runner, answerBy, specs } = await start(full, { sh: 'shell' });
  expect(runner.problems()).toEqual(['The image "shell" cannot be used: no space']);
  answerBy(() => undefined);
  await runner.look();
  await runner.look();
  expect([runner.status, runner.problems(), specs().length]).toEqual(['ready', [], 2]);
  const info = '{"MemoryLimit":true,"PidsLimit":true,"ServerVersion":"30"}';
  answerBy(on('GET /info', { chunks: [info] }));
  await runner.look();
  expect(specs()).toHaveLength(3);
});

test('names the limit that a response of the engine exceeds', async () => {
  const many = on('GET /info', { chunks: [`[${'1,'.repeat(200_000)}1]`] });
  const { runner } = await start(many, { sh: 'shell' });
  expect(runner.status).toBe('away');
  expect(runner.problems()).toEqual(['The container engine sent more than 100000 values of JSON.']);
});

test('finds an image that is pulled later', async () => {
  const { runner, answerBy } = await start(on('GET /images/shell/json', { status: 404 }));
  expect(runner.runtimes).not.toHaveProperty('sh');
  answerBy(() => undefined);
  await runner.look();
  expect(runner.runtimes).toHaveProperty('sh');
});

test.each<[string, EngineRule, RegExp]>([
  [
    'has no shell',
    on('POST /containers/{}/start', { status: 400, chunks: ['{"message":"exec: \\"sh\\""}'] }),
    /image "shell" cannot be used: exec: "sh"/,
  ],
  [
    'has volumes',
    on('GET /images/shell/json', { chunks: ['{"Id":"x","Config":{"Volumes":{"/data":{}}}}'] }),
    /has volumes, which cannot be limited/,
  ],
  [
    'fails a probe',
    ({ call, mark }) =>
      call === attach ? { chunks: [frame('no filter', 2), frame(`\n${mark} 3\n`)] } : undefined,
    /a probe ended with 3: no filter/,
  ],
  [
    'is on an engine without limits',
    on('GET /info', { chunks: ['{"MemoryLimit":false,"PidsLimit":true}'] }),
    /cannot limit memory and processes/,
  ],
  [
    'is on an engine that sends garbage',
    on('GET /info', { chunks: ['<html>'] }),
    /is no container engine/,
  ],
  [
    'is on an engine that floods us',
    on('GET /info', { chunks: Array(10).fill(Buffer.alloc(mebibyte)) }),
    /sent more than 8388608 bytes/,
  ],
  [
    'is on an engine that drops each connection',
    () => ({ mute: true, ending: 'cut' }),
    /cannot be reached \(ECONNRESET\)/,
  ],
])('runs nothing if the image %s', async (_title, rule, problem) => {
  const { runner, run } = await start(rule, { sh: 'shell' });
  expect([runner.status, runner.runtimes]).toEqual(['away', {}]);
  expect(runner.problems().join()).toMatch(problem);
  await expect(run()).rejects.toThrow(problem);
});

test('times out if the engine hangs', async () => {
  const { runner, run, answerBy } = await start();
  shortenTimeouts();
  answerBy(on('POST /containers/create', { mute: true }));
  await expect(run()).rejects.toThrow('took too long');
  expect(runner.status).toBe('away');
  answerBy(() => ({ mute: true }));
  await runner.look();
  expect(runner.problems()).toEqual(['The container engine does not answer.']);
});

test.each(['POST /containers/create', 'POST /containers/{}/start', attach])(
  'stops a script while the engine hangs at %s',
  async (call) => {
    const { runner, answerBy, calls, left } = await start();
    answerBy(on(call, { mute: true }));
    const controller = new AbortController();
    const before = calls().length;
    const running = runText('sh', 'true', { runner, signal: controller.signal });
    const pattern = new RegExp(call.replace('{}', '[^/]+'));
    await waitFor(() =>
      calls()
        .slice(before)
        .some((each) => pattern.test(each)),
    );
    controller.abort();
    expect((await running).end).toBe('stopped');
    expect([runner.status, left()]).toEqual(['ready', []]);
  },
);

test('ends a script at its timeout, whatever the engine does', async () => {
  const { runner, answerBy, left } = await start();
  answerBy(on(attach, { chunks: [frame('begun')], ending: 'silence' }));
  const running = runText('sh', 'true', { runner, limits: { seconds: 0.3 } });
  expect(await running).toMatchObject({ end: 'time', exitCode: null, files: [] });
  expect(left()).toEqual([]);
});

test.each<[string, (mark: string) => ScriptedResponse, string | object]>([
  ['sends garbage', () => ({ chunks: ['no frames at all'] }), 'cannot be understood'],
  ['loses the end', () => ({ chunks: [frame('begun')] }), 'lost how the script ended'],
  [
    'truncates the output archive',
    (mark) => ({
      chunks: [frame(`done\n${mark} 0\n${tarBytes([large]).toString('latin1', 0, 700)}`)],
    }),
    'lost what the script left',
  ],
  [
    'floods',
    () => ({ chunks: Array(66).fill(frame('x'.repeat(mebibyte))) }),
    { end: 'output', files: [] },
  ],
  [
    'sends an invalid archive',
    (mark) => ({ chunks: [frame(`done\n${mark} 0\n${'x'.repeat(1024)}`)] }),
    { end: 'output', files: [] },
  ],
  [
    'sends an invalid exit code',
    (mark) => ({ chunks: [frame(`done\n${mark} ${'9'.repeat(100)}\n`)] }),
    { end: 'output', files: [] },
  ],
  [
    'sends everything in small chunks',
    (mark) => ({ chunks: bytesOf(frame(`done\n${mark} 0\n`).toString('latin1'), 3) }),
    { end: 'exit', exitCode: 0, stdout: 'done' },
  ],
])('ends a script reliably if its engine %s', async (_title, answer, expected) => {
  const { run, answerBy, left } = await start();
  answerBy(({ call, mark }) => (call === attach ? answer(mark) : undefined));
  const running = run();
  await (typeof expected === 'string'
    ? expect(running).rejects.toThrow(expected)
    : expect(running).resolves.toMatchObject(expected));
  expect(left()).toEqual([]);
});

test('fails if the output ends before the script starts', async () => {
  const { run, answerBy } = await start();
  answerBy(({ call }) =>
    call === attach
      ? { chunks: [], ending: 'cut' }
      : on('POST /containers/{}/start', { chunks: Array(200).fill(' ') })({
          call,
          path: '',
          mark: '',
        }),
  );
  await expect(run()).rejects.toThrow('lost how the script ended');
});

test.each<[string, (mark: string) => string]>([
  ['a report of the script', (mark) => `a\n${mark} memory\n`],
  ['the state of the container', () => 'a'],
])('detects that a script ran out of memory from %s', async (_title, said) => {
  const { run, answerBy } = await start();
  const state = { chunks: ['{"State":{"ExitCode":137,"OOMKilled":true}}'] };
  answerBy((asked) =>
    asked.call === attach
      ? { chunks: [frame(said(asked.mark))] }
      : on('GET /containers/{}/json', state)(asked),
  );
  expect(await run()).toMatchObject({ end: 'memory', exitCode: null, stdout: 'a', files: [] });
});

test('is unavailable while the engine is down', async () => {
  const { runner, run, answerBy } = await start();
  let isDead = false;
  answerBy(({ call }) => {
    isDead ||= call === attach;
    return isDead ? { mute: true, ending: 'cut' } : undefined;
  });
  await expect(run()).rejects.toThrow('cannot be reached');
  expect(runner.status).toBe('away');
  await expect(run()).rejects.toThrow('cannot be reached');
  answerBy(() => undefined);
  await runner.look();
  expect(await run()).toMatchObject({ end: 'exit', exitCode: 0 });
});

test('removes own leftovers at startup, and expired containers of any owner', async () => {
  const now = Date.now() / 1000;
  const labels = (owner: string, until: number) => ({
    Labels: { 'knowhow.runner': owner, 'knowhow.until': String(until) },
  });
  const listed = [
    { Id: 'a1', ...labels('this-test', now + 60) },
    { Id: 'a2', ...labels('another', now + 60) },
    { Id: 'a3', ...labels('another', now - 60) },
  ];
  const list = on('GET /containers/json', { chunks: [JSON.stringify(listed)] });
  const { calls, runner } = await start(list);
  const removed = () =>
    calls().flatMap(
      (call) => /^DELETE \/containers\/(a\d)\?force=true&v=true/.exec(call)?.[1] ?? [],
    );
  expect(removed()).toEqual(['a1', 'a3']);
  await runner.look();
  expect(removed()).toEqual(['a1', 'a3', 'a3']);
});
