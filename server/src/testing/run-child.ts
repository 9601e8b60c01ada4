import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';

/** A child process, killed after the test, which fails on Node warnings in it. */
export interface Child {
  process: ChildProcess;
  /** Combined output so far. */
  readonly output: string;
  /** Standard output so far. */
  readonly standardOutput: string;
  /** Resolves once the output contains this; throws if the process ends before. */
  says(text: string | RegExp): Promise<void>;
  /** Resolves with the exit code or signal. */
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
  // A killed process no longer reads its input.
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
        throw new Error(`It ended with ${how} before printing "${text}". Output:\n${output}`);
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

/**
 * Waits for a crashing server (see `crashing-server.ts`) and returns its ports, in the order of its
 * folders.
 */
export async function readPorts(child: Child): Promise<string[]> {
  const line = /\bports ([\d ]+)\.\n/;
  await child.says(line);
  return line.exec(child.output)?.[1]?.split(' ') ?? [];
}
