import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';

/** A process of a test's own; killed when the test is over, which fails if Node has warned in it. */
export interface Child {
  process: ChildProcess;
  /** All it has written so far, to both outputs. */
  readonly output: string;
  /** Its standard output alone. */
  readonly standardOutput: string;
  /** Resolves when it has written this; throws when it ends before. */
  says(text: string | RegExp): Promise<void>;
  /** Resolves with its exit code, or with the signal that ended it. */
  ended: Promise<number | string>;
}

export function runChild(script: string, options: SpawnOptions & { args?: string[] } = {}): Child {
  const { args = [], ...others } = options;
  let output = '';
  let standardOutput = '';
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    ...others,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    expect(output).not.toMatch(/^\(node:\d+\)|"name":"\w*Warning"/m);
  });
  // One that is killed does not read what is still written to it.
  child.stdin?.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      standardOutput += stream === child.stdout ? text : '';
    });
  }
  const ended = once(child, 'close').then(
    ([code, signal]: unknown[]) => (code ?? signal) as number | string,
  );
  return {
    process: child,
    get output() {
      return output;
    },
    get standardOutput() {
      return standardOutput;
    },
    says: async (text) => {
      const isOver = ended.then((how) => {
        throw new Error(`It ended with ${how} before it said "${text}". It said:\n${output}`);
      });
      while (typeof text === 'string' ? !output.includes(text) : !text.test(output)) {
        const heard = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'data'));
        await Promise.race([...heard, isOver]);
      }
      isOver.catch(() => undefined);
    },
    ended,
  };
}

/** Waits for a crashing server (see `crashing-server.ts`), and gives the ports it serves, in the order of its folders. */
export async function readPorts(child: Child): Promise<string[]> {
  const line = /\bports ([\d ]+)\.\n/;
  await child.says(line);
  return line.exec(child.output)?.[1]?.split(' ') ?? [];
}
