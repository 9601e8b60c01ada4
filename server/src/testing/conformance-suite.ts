import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { listenOn } from './listen-on.ts';
import { temporaryFolder } from './write-files.ts';

const script = fileURLToPath(new URL('./conformance-suite.mjs', import.meta.url));
const handOver = fileURLToPath(new URL('./hand-over.mjs', import.meta.url));

const endSchema = z.object({ code: z.number(), output: z.string() });
const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

const handedSchema = z.object({ address: z.string(), context: z.record(z.string(), z.unknown()) });

export interface Verdict {
  /** Number of passed checks. */
  passed: number;
  /** Failed checks with their errors; checks that did not run are not listed. */
  failed: string[];
  /** The output of the suite. */
  output: string;
}

interface ConformanceSuite {
  /** Runs a scenario for a server or client, one at a time. */
  run(kind: 'server' | 'client', scenario: string, args: readonly string[]): Promise<Verdict>;
  /**
   * Runs a scenario whose client is the test itself.
   *
   * @param act receives the address of the suite's server and the client's context; the scenario
   *   ends when it resolves
   */
  runClient(
    scenario: string,
    act: (address: string, context: Record<string, unknown>) => Promise<void>,
    args?: readonly string[],
  ): Promise<Verdict>;
}

/** The MCP conformance suite, in a process that lives as long as the test file. */
export function conformanceSuite(): ConformanceSuite {
  let child: ChildProcess;
  beforeAll(() => {
    child = fork(script, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  });
  afterAll(() => {
    child.kill();
  });

  async function run(...[kind, scenario, args]: Parameters<ConformanceSuite['run']>) {
    const folder = await temporaryFolder();
    child.send([kind, '--scenario', scenario, '--output-dir', folder, ...args]);
    const [end] = await once(child, 'message');
    const { code, output } = endSchema.parse(end);
    const checks = await readChecks(folder);
    const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const failed = bad.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`);
    return {
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: code === 0 || failed.length > 0 ? failed : [`The suite ended with ${code}.`],
      output,
    };
  }

  return {
    run,
    async runClient(scenario, act, args = []) {
      let failure: unknown;
      const control = createServer(async (request, response) => {
        const { address, context } = handedSchema.parse(JSON.parse(await text(request)));
        await act(address, context).catch((error: unknown) => {
          failure = error;
        });
        response.end();
      });
      const command = `${process.execPath} ${handOver} http://127.0.0.1:${await listenOn(control)}`;
      const verdict = await run('client', scenario, ['--command', command, ...args]);
      control.close();
      if (failure !== undefined) {
        throw failure;
      }
      return verdict;
    },
  };
}

/** Reads all checks, which are in a folder per run. */
async function readChecks(folder: string): Promise<z.output<typeof checksSchema>> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('checks.json'));
  const read = files.map(async (name) =>
    checksSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  return (await Promise.all(read)).flat();
}
