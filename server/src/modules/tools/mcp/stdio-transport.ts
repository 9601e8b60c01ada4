import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createEventMeter } from '../../../platform/lib/event-meter.ts';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { mcpLimits } from './mcp-limits.ts';

interface Command {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
}

/** Parses a line into a message; injected so that only one file loads the library. */
type Parse = (line: string) => JSONRPCMessage;

/** Maximum lines that are not messages. */
const maxStrayLines = 1000;
const graceMs = 1000;

/**
 * A stdio server in its own process group, so that its children end with it. Reads with
 * backpressure and kills servers that flood us. The library's transport leaks parts of our
 * environment, reads without bounds and leaves grandchildren behind.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Called with the reason if we kill the server. */
  onrefused?: (why: string) => void;
  /** The process ID. The library recognizes a stdio transport by `stderr` and `pid`. */
  readonly stderr: OutputTail = createOutputTail();
  /** Why we ended it, or how it exited. */
  why: string | undefined;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stray = 0;
  readonly #command: Command;
  readonly #parse: Parse;

  constructor(command: Command, parse: Parse) {
    this.#command = command;
    this.#parse = parse;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#command;
    const child = spawn(command, [...args], {
      env,
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stderr.on('error', (error) => this.onerror?.(error));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.stderr.add(text));
    const lines = splitLines((line) => this.#take(line));
    const measure = createEventMeter(mcpLimits, 'line');
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        measure(chunk);
      } catch (error) {
        this.refuse(`It sent a message of more than ${getErrorMessage(error)}.`);
        return;
      }
      lines(chunk);
    });
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.why ??= signal ? `It was ended by ${signal}.` : `It ended with code ${code}.`;
        this.#child = undefined;
        resolve();
        this.onclose?.();
      });
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      // Not `once`: a failed kill emits a later error, and an unhandled one would crash this
      // process.
      child.on('error', (error: NodeJS.ErrnoException) => {
        const missing = `there is no command "${command}" here, or not the folder to start it in`;
        const reason = error.code === 'ENOENT' ? missing : error.message;
        this.why ??= `It could not be started: ${reason}.`;
        reject(error);
        this.onerror?.(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) {
      return Promise.reject(new Error('The server has ended.'));
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves once the process has ended: closes stdin, then sends SIGTERM, then SIGKILL. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) {
      return this.#ended;
    }
    // A process that no longer reads is exiting on its own: its exit code will be the reason.
    if (!child.stdin?.errored) {
      this.why ??= 'It was closed.';
    }
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endedWithin(graceMs)) {
        return;
      }
      this.why ??= 'It was closed.';
      kill(child, signal);
    }
    // A grandchild outside the process group may hold the streams open.
    if (!(await this.#endedWithin(graceMs))) {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  }

  async #endedWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    return Promise.race([this.#ended.then(() => true), over]).finally(() => clearTimeout(timer));
  }

  #take(line: string): void {
    if (line.trim() === '') {
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = this.#parse(line);
    } catch {
      this.#stray += 1;
      if (this.#stray > maxStrayLines) {
        this.refuse('It writes what is no message of MCP to its standard output.');
      }
      return;
    }
    this.onmessage?.(message);
  }

  /** Kills a misbehaving server immediately. */
  refuse(why: string): void {
    const child = this.#child;
    if (child && this.why === undefined) {
      this.why = why;
      this.onrefused?.(why);
      child.stdout?.destroy();
      kill(child, 'SIGKILL');
    }
  }
}

/** Kills the whole process group. */
function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') {
      process.kill(-child.pid, signal);
      return;
    }
  } catch {
    // The group is gone or not ours: kill the process itself.
  }
  child.kill(signal);
}

/** Splits a byte stream into lines. Unbounded: callers must enforce a size limit first. */
function splitLines(onLine: (text: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  return (chunk) => {
    let rest = decoder.write(chunk);
    for (;;) {
      const end = rest.indexOf('\n');
      const part = end < 0 ? rest : rest.slice(0, end);
      parts.push(part);
      if (end < 0) {
        return;
      }
      const line = parts.join('');
      parts = [];
      onLine(line);
      rest = rest.slice(end + 1);
    }
  };
}

const maxCharacters = 4000;

/** The tail of a process's output, often the only clue to why it died. */
interface OutputTail {
  add(text: string): void;
  /** With line breaks, without control characters. */
  readonly text: string;
}

function createOutputTail(): OutputTail {
  let tail = '';
  return {
    add: (text) => {
      tail = (tail + text.slice(-maxCharacters)).slice(-maxCharacters);
    },
    get text() {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: strips ANSI colours and other control characters
      return tail.replace(/\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '').trim();
    },
  };
}
