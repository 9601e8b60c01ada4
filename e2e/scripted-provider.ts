import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ScriptedAnswer, type ScriptedCall, type Step, say } from './provider-script.ts';

/** The parts of a chat completion request that specs use. */
interface ChatCompletionRequest {
  model: string;
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
}

/** A request that the model received. */
export class RecordedRequest {
  readonly raw: string;
  readonly body: ChatCompletionRequest;
  /** Whether the client disconnected before the end of the answer. */
  abandoned = false;

  constructor(raw: string) {
    this.raw = raw;
    this.body = JSON.parse(raw) as ChatCompletionRequest;
  }

  /** The joined texts of all messages of a role; `tool` messages are tool results. */
  getText(role: 'system' | 'user' | 'assistant' | 'tool'): string {
    return this.body.messages
      .filter((message) => message.role === role)
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n');
  }

  get tools(): string[] {
    return (this.body.tools ?? []).map((tool) => tool.function.name);
  }
}

/**
 * An OpenAI-compatible server on loopback (`POST /v1/chat/completions`, streaming). Its model responds as
 * scripted and records every request.
 */
export class ScriptedProvider {
  readonly requests: RecordedRequest[] = [];
  private readonly server: Server;
  private answers: ScriptedAnswer[] = [];

  private constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider();
    provider.reset();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Scripts the next answers; repeats the last one for later requests. */
  plays(...answers: (ScriptedAnswer | Step)[]): void {
    this.answers = answers.map((answer) => (Array.isArray(answer) ? answer : [answer]));
  }

  reset(): void {
    this.requests.length = 0;
    this.plays(say('Nothing was scripted.'));
  }

  lastRequest(): RecordedRequest {
    const request = this.requests.at(-1);
    if (!request) {
      throw new Error('The provider received no request.');
    }
    return request;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readText(request);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    const recorded = new RecordedRequest(raw);
    this.requests.push(recorded);
    response.once('close', () => {
      recorded.abandoned = !response.writableFinished;
    });
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    await play(answer ?? [], response);
  }
}

/** Plays the steps until one ends the answer or the client disconnects. */
async function play(answer: ScriptedAnswer, response: ServerResponse): Promise<void> {
  for (const step of answer) {
    await playStep(step, response);
    if (response.writableEnded || response.destroyed) {
      return;
    }
  }
  const finishReason = answer.some((step) => step.do === 'call') ? 'tool_calls' : 'stop';
  send(response, chunk({}, finishReason));
  send(response, {
    ...chunkHead(),
    choices: [],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  });
  response.end('data: [DONE]\n\n');
}

async function playStep(step: Step, response: ServerResponse): Promise<void> {
  switch (step.do) {
    case 'say':
      return speak(step.text, step.everyMs, response);
    case 'dump':
      for (const piece of step.text.match(/[\s\S]{1,4000}/g) ?? []) {
        send(response, chunk({ content: piece }));
      }
      return;
    case 'call':
      return callTools(step.calls, response);
    case 'fail':
      return refuse(response, step.status, step.retryAfter);
    case 'break':
      send(response, { error: { message: 'The engine is overloaded.', type: 'server_error' } });
      response.end();
      return;
    case 'cut':
      response.destroy();
      return;
    case 'pause':
      return step.until;
    case 'hang':
      response.flushHeaders();
      await once(response, 'close');
      return;
    case 'garbage':
      begin(response);
      response.end('data: {"choices": [<html>\n\n');
      return;
    case 'send':
      return sendPieces(step.pieces, response);
  }
}

async function sendPieces(pieces: Iterable<string>, response: ServerResponse): Promise<void> {
  begin(response);
  for (const piece of pieces) {
    if (response.destroyed) {
      return;
    }
    response.write(piece);
    await yieldToEventLoop();
  }
  response.end();
}

async function speak(text: string, everyMs: number, response: ServerResponse): Promise<void> {
  for (const word of text.match(/\s*\S+(\s+$)?/g) ?? []) {
    if (response.destroyed) {
      return;
    }
    send(response, chunk({ content: word }));
    if (everyMs > 0) {
      await wait(everyMs);
    }
  }
}

/** Tool calls as OpenAI streams them: ID and name first, then the arguments in chunks. */
function callTools(calls: ScriptedCall[], response: ServerResponse): void {
  for (const [index, { name, input }] of calls.entries()) {
    const id = `call_${Math.random().toString(36).slice(2)}`;
    const head = { index, id, type: 'function', function: { name, arguments: '' } };
    send(response, chunk({ tool_calls: [head] }));
    for (const piece of JSON.stringify(input).match(/[\s\S]{1,12}/g) ?? []) {
      send(response, chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
}

function refuse(response: ServerResponse, status: number, retryAfter?: number): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify({ error: { message: `Scripted ${status}.`, type: 'scripted' } }));
}

function chunk(delta: Record<string, unknown>, finishReason: string | null = null) {
  return { ...chunkHead(), choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function chunkHead() {
  return { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted' };
}

function send(response: ServerResponse, data: unknown): void {
  begin(response);
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

function begin(response: ServerResponse): void {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) {
    text += piece;
  }
  return text;
}
