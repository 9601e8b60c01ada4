/** File in which the program returns its requests or its result. */
export const answerFile = 'knowhow-answer.json';
export const programFile = '.knowhow/run.cjs';

/**
 * Runs a handler of AnythingLLM, a module of Achilles, or code written by a model in the sandbox.
 * The sandbox has no network: the code's requests (a page, the model, an approval) are answered
 * from the task, in order. On a request without an answer, the program exits and is rerun with it.
 * Time and randomness are deterministic, so that each run makes the same requests.
 */
export const codeProgram = String.raw`'use strict';
  const fs = require('node:fs');
  const path = require('node:path');
  const Module = require('node:module');
  const { pathToFileURL } = require('node:url');
  const task = JSON.parse(fs.readFileSync(path.join(process.cwd(), 'in/task.json'), 'utf8'));
  const skill = path.resolve(__dirname, '..');
  const said = [];
  const asked = [];
  let next = 0;
  let isOver = false;

  function end(answer) {
    if (!isOver) {
      isOver = true;
      fs.writeFileSync('knowhow-answer.json', JSON.stringify({ ...answer, said }));
      process.exit(0);
    }
  }
  function ask(kind, what) {
    const at = next++;
    const key = JSON.stringify([kind, what]);
    const known = task.replies[at];
    if (known && known.key === key) {
      return known.error === undefined
        ? Promise.resolve(known.value)
        : Promise.reject(new TypeError(known.error));
    }
    asked.push({ at, key, kind, what });
    if (asked.length === 1) {
      realTimeout(() => end({ asked }), 20);
    }
    return new Promise(() => {});
  }
  function say(text) {
    if (said.length < 100) {
      said.push(String(text instanceof Error ? text.message : text).slice(0, 500));
    }
  }

  const realTimeout = setTimeout;
  let clock = task.now;
  Date.now = () => clock++;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (_, args, made) => Reflect.construct(RealDate, args.length === 0 ? [clock++] : args, made),
    apply: () => new RealDate(clock++).toString(),
  });
  let seed = task.seed;
  Math.random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
    console[name] = (...args) => process.stderr.write(args.map(String).join(' ') + '\n');
  }

  globalThis.fetch = async (input, init = {}) => {
    const request = new Request(input, init);
    const body = request.body ? Buffer.from(await request.arrayBuffer()).toString('base64') : undefined;
    const { url, method } = request;
    const reply = await ask('fetch', { url, method, headers: [...request.headers], body });
    const bytes = Buffer.from(reply.body, 'base64');
    const isEmpty = [101, 204, 205, 304].includes(reply.status);
    const response = new Response(isEmpty ? null : bytes, { status: reply.status, headers: reply.headers });
    Object.defineProperty(response, 'url', { value: reply.url });
    return response;
  };
  const load = Module._load;
  Module._load = function (name, ...rest) {
    return name === 'node-fetch' ? Object.assign(globalThis.fetch, { default: globalThis.fetch }) : load.call(this, name, ...rest);
  };

  let copies = 0;
  async function open(file) {
    const whole = path.join(skill, file);
    try {
      return require(whole);
    } catch (error) {
      if (error.code !== 'ERR_REQUIRE_ESM' && !/Cannot use import statement|Unexpected token 'export'/.test(error.message)) {
        throw error;
      }
      if (whole.endsWith('.mjs')) {
        return import(pathToFileURL(whole));
      }
      const copy = path.join(process.cwd(), 'module-' + copies++ + '.mjs');
      fs.copyFileSync(whole, copy);
      return import(pathToFileURL(copy));
    }
  }
  function manifest() {
    try {
      return JSON.parse(fs.readFileSync(path.join(skill, 'assets/original/plugin.json'), 'utf8'));
    } catch {
      return {};
    }
  }

  async function runPlugin() {
    const loaded = await open(task.file);
    const runtime = loaded.runtime ?? loaded.default?.runtime;
    if (typeof runtime?.handler !== 'function') {
      throw new Error('handler.js does not export runtime.handler.');
    }
    const config = manifest();
    const self = {
      name: config.hubId,
      description: config.description,
      config,
      runtimeArgs: task.settings,
      runtime: 'docker',
      examples: Array.isArray(config.examples) ? config.examples : [],
      caller: 'Knowhow',
      logger: say,
      introspect: say,
      super: { introspect: say, handlerProps: { log: say } },
      webScraper: { getLinkContent: (url) => ask('page', { url: String(url) }) },
      ...runtime,
      requestToolApproval: ({ payload = {}, description = '' } = {}) =>
        ask('approval', { payload, description: String(description ?? '') }),
    };
    return runtime.handler.call(self, task.input);
  }
  const executePrompt = (prompt) => ask('model', { prompt: String(prompt) });
  async function runScript() {
    const loaded = await open(task.file);
    const run = loaded[task.call] ?? loaded.default?.[task.call] ?? loaded.default;
    if (typeof run !== 'function') {
      throw new Error(task.file + ' does not export ' + task.call + '.');
    }
    const promptText = task.input.promptText ?? task.input.input ?? '';
    return run({ ...task.context, promptText, ...task.input, llmAgent: { executePrompt }, logger: console });
  }
  async function scopeOfCode() {
    const scope = { ...task.context };
    for (const { module, name, as } of task.imports ?? []) {
      const loaded = module.startsWith('node:') ? require(module) : await open(module);
      const isWhole = name === undefined || (name === 'default' && loaded?.default === undefined);
      scope[as] = isWhole ? loaded : loaded?.[name];
    }
    return { ...scope, input: task.input, executePrompt, require };
  }
  async function runGenerated() {
    const AsyncFunction = runGenerated.constructor;
    const scope = await scopeOfCode();
    // A block scope, so that the code may redeclare variables of its scope, such as modules it
    // requires itself.
    const run = new AsyncFunction(...Object.keys(scope), '{\n' + task.code + '\n}');
    return run(...Object.values(scope));
  }

  function textOf(value) {
    if (value === undefined || value === null) {
      return 'It gave nothing.';
    }
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  }
  process.on('unhandledRejection', (error) => end({ error: String(error?.message ?? error) }));
  process.on('uncaughtException', (error) => end({ error: String(error?.message ?? error) }));
  const runs = { plugin: runPlugin, script: runScript, generated: runGenerated };
  runs[task.kind]().then(
    (value) => end({ result: textOf(value) }),
    (error) => end({ error: String(error?.message ?? error) }),
  );
`;
