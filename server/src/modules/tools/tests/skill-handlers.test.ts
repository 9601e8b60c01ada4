import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTextZip, handlerPlugin } from '../../../testing/foreign-skills.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, withAllTools } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';

interface Setting {
  /** Replaces the files of the plugin. */
  files?: Record<string, string>;
  input?: Record<string, unknown>;
  allowed?: boolean;
  runner?: string;
  tool?: unknown;
  steps?: Parameters<typeof scriptedModel>;
}

/** Imports a plugin, allows its code, and has it called once, with the user's consent. */
async function callHandler(setting: Setting) {
  const { files = {}, input = { text: 'abc' }, allowed = true, runner = 'auto', tool } = setting;
  const { steps = [calls(['letter-counter', input]), says('Done.')] } = setting;
  const model = scriptedModel(...steps);
  const server = await startTestServer({
    model: model.ask,
    environment: { SCRIPT_RUNNER: runner },
    files: {
      ...withAllTools,
      'config/skills.json': { settings: { allowScriptExecution: true } },
      'config/platform.json': { outbound: { allowPrivate: ['127.0.0.1'] } },
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const zip = createTextZip({ ...handlerPlugin('letter-counter'), ...files });
  expect((await postArchive(admin, 'import', zip, 'application/zip')).ok).toBe(true);
  // An import drops decisions on an earlier skill of the same name, so they follow it.
  const put = (path: string, json: unknown) =>
    admin(`/api/admin/skills/letter-counter${path}`, { method: 'PUT', json });
  if (allowed && runner !== 'off') {
    expect((await put('', { allowScriptExecution: true })).ok).toBe(true);
  }
  if (tool) {
    expect((await put('/tool-settings', tool)).ok).toBe(true);
  }
  const json = { action: 'switch', names: ['letter-counter'], enabled: true };
  expect((await admin('/api/admin/skills/bulk', { method: 'POST', json })).ok).toBe(true);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Count abc', conversationId });
  let isOver = false;
  void turn.finally(() => {
    isOver = true;
  });
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await waitFor(async () => isOver || (await visitor(path, { json: { decision: 'once' } })).ok);
  return { turn: await turn, model };
}

const handler = (body: string) => ({
  'letter-counter/handler.js': `module.exports.runtime = { ${body} };\n`,
});
const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];
const result = ({ requests }: { requests: ModelRequest[] }) =>
  String(requests.at(-1)?.messages.at(-1)?.content ?? '');

describe.runIf(sandbox)('an AnythingLLM handler', () => {
  test('runs with its arguments, and reports its progress', async () => {
    const { turn, model } = await callHandler({});
    expect(result(model)).toBe('3');
    expect(turn.events).toContainEqual(
      expect.objectContaining({ type: 'tool.progress', text: 'counting' }),
    );
  });

  test('has its manifest, its settings, its examples and its other functions', async () => {
    const body = `
      shout: function (text) { return text.toUpperCase() + this.name; },
      handler: async function ({ text }) {
        return [this.shout(text), this.runtimeArgs.API_KEY, this.config.version,
          this.examples.length, typeof this.logger, this.super.introspect === this.introspect];
      }`;
    const tool = { settings: { API_KEY: 'k-1' } };
    const { model } = await callHandler({ files: handler(body), tool });
    expect(JSON.parse(result(model))).toEqual([
      'ABCletter-counter',
      'k-1',
      '1.2.0',
      1,
      'function',
      true,
    ]);
  });

  test.each([
    ['null', 'handler: async () => null', 'It gave nothing.'],
    ['an object', 'handler: async () => ({ a: 1 })', '{"a":1}'],
    ['an error', "handler: async () => { throw new Error('no luck'); }", 'Error: no luck'],
    [
      'an error with a message',
      "handler: async () => { throw 'Error: no luck'; }",
      /^Error: no luck$/,
    ],
    ['a missing module', "handler: async () => require('axios')", "Cannot find module 'axios'"],
  ])('that returns %s gives a text', async (_, body, expected) => {
    const { model } = await callHandler({ files: handler(body) });
    expect(result(model)).toMatch(expected);
  });

  test('can call the servers that an admin lists, and no others', async () => {
    const asked: string[] = [];
    const port = await listenOn(
      createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":"b"}');
      }),
    );
    const body = `
      handler: async function () {
        const first = await (await fetch('http://127.0.0.1:${port}/one')).json();
        const second = await fetch('http://127.0.0.1:${port}/' + first.a, { method: 'POST', body: 'x' });
        const refused = await fetch('http://example.org/').catch((error) => error.message);
        return [first, second.status, await second.text(), refused];
      }`;
    const tool = { hosts: [`127.0.0.1:${port}`] };
    const { model } = await callHandler({ files: handler(body), tool });
    expect(JSON.parse(result(model))).toEqual([
      { a: 'b' },
      200,
      '{"a":"b"}',
      expect.stringContaining('does not let this skill reach example.org'),
    ]);
    expect(asked).toEqual(['GET /one', 'POST /b']);
  });

  test('follows redirects only to listed hosts and ports', async () => {
    const reached: string[] = [];
    const stranger = await listenOn(
      createServer((request, response) => {
        reached.push(request.url ?? '');
        response.end('secret');
      }),
    );
    const port = await listenOn(
      createServer((request, response) => {
        const location =
          request.url === '/in' ? '/end' : `http://${request.url?.slice(1)}:${stranger}/stolen`;
        request.url === '/end'
          ? response.end('inside')
          : response.writeHead(302, { location }).end();
      }),
    );
    const body = `
      handler: async function () {
        const got = [];
        for (const path of ['in', '127.0.0.1', 'localhost']) {
          const address = 'http://127.0.0.1:${port}/' + path;
          got.push(await fetch(address).then((answer) => answer.text(), (error) => error.message));
          got.push(await this.webScraper.getLinkContent(address).then(({ content }) => content, (error) => error.message));
        }
        return got;
      }`;
    const { model } = await callHandler({
      files: handler(body),
      tool: { hosts: [`127.0.0.1:${port}`] },
    });
    const refused = (host: string) =>
      expect.stringContaining(`does not let this skill reach ${host}:${stranger}`);
    expect(JSON.parse(result(model))).toEqual([
      ...['inside', 'inside'],
      ...[refused('127.0.0.1'), refused('127.0.0.1')],
      ...[refused('localhost'), refused('localhost')],
    ]);
    expect(reached).toEqual([]);
  });

  test('gets no more than its memory limit', async () => {
    const port = await listenOn(createServer((_, response) => response.end('a'.repeat(900_000))));
    const body = `handler: async () => {
      const asked = Array.from({ length: 12 }, () => fetch('http://127.0.0.1:${port}/'));
      return (await Promise.all(asked)).length;
    }`;
    const { model } = await callHandler({
      files: handler(body),
      tool: { hosts: [`127.0.0.1:${port}`] },
    });
    expect(result(model)).toContain('characters in all');
  });

  test.each([
    "Promise.all(Array.from({ length: 5000 }, () => fetch('http://127.0.0.1:9/')))",
    '{ throw Object.assign(new Error(), { message: 7 }); }',
    "{ for (const end of ['exit', 'beforeExit']) process.on(end, () => require('fs').writeFileSync('knowhow-answer.json', '[]')); return 'x'; }",
  ])('attaches no files to its answer if that cannot be read: %s', async (body) => {
    const { model, turn } = await callHandler({
      files: handler(`handler: async () => ${body}`),
      tool: { hosts: ['127.0.0.1'] },
    });
    expect(result(model)).not.toContain('knowhow-answer');
    expect(JSON.stringify(turn.events)).not.toContain('knowhow-answer');
  });

  test('has no other way out', async () => {
    const body = `
      handler: () => new Promise((resolve) => {
        require('node:http').get('http://127.0.0.1:1/', () => resolve('out'))
          .on('error', (error) => resolve('refused ' + error.code));
      })`;
    const { model } = await callHandler({ files: handler(body) });
    expect(result(model)).toMatch(/^refused/);
  });

  test('that writes endlessly is killed', async () => {
    const body = "handler: () => { for (;;) { require('fs').writeSync(1, 'x'.repeat(65536)); } }";
    const { model } = await callHandler({ files: handler(body) });
    expect(result(model)).toMatch(/wrote too much|took too long/);
  });
});

test.each<[string, Setting]>([
  ['where nothing runs scripts', { runner: 'off' }],
  ['where its code is not allowed', { allowed: false }],
])('the tool of a plugin is missing %s', async (_, setting) => {
  const { model } = await callHandler({ ...setting, steps: [says('Hello.')] });
  expect(names(model.requests[0])).not.toContain('letter-counter');
});
