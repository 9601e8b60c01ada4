import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { listenOn } from './listen-on.ts';
import { temporaryFolder } from './write-files.ts';

const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const loader = new URL('./add-glob-sync.mjs', import.meta.url).href;
const handOver = fileURLToPath(new URL('./hand-over.mjs', import.meta.url));

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

const handedSchema = z.object({ address: z.string(), context: z.record(z.string(), z.unknown()) });

export interface Verdict {
  /** Checks that were passed. */
  passed: number;
  /** Those that were not, each with what was wrong; one that could not be made is none. */
  failed: string[];
  /** All that the suite has written. */
  output: string;
}

/** Runs a scenario of the conformance suite of the Model Context Protocol, for a server or a client. */
export async function runConformance(
  kind: 'server' | 'client',
  scenario: string,
  args: readonly string[],
): Promise<Verdict> {
  const folder = await temporaryFolder();
  const child = spawn(
    process.execPath,
    ['--import', loader, suite, kind, '--scenario', scenario, '--output-dir', folder, ...args],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const checks = await readChecks(folder);
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const failed = bad.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`);
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: code === 0 || failed.length > 0 ? failed : [`The suite ended with ${code}.`],
    output: out + errors,
  };
}

/**
 * Runs a scenario for a client, which is the test itself.
 *
 * @param act gets the address of the suite's server, and what a client is to know of it; the scenario is
 *   over when it is
 */
export async function runClientConformance(
  scenario: string,
  act: (address: string, context: Record<string, unknown>) => Promise<void>,
  args: readonly string[] = [],
): Promise<Verdict> {
  let failure: unknown;
  const control = createServer(async (request, response) => {
    const { address, context } = handedSchema.parse(JSON.parse(await text(request)));
    await act(address, context).catch((error: unknown) => {
      failure = error;
    });
    response.end();
  });
  const command = `${process.execPath} ${handOver} http://127.0.0.1:${await listenOn(control)}`;
  const verdict = await runConformance('client', scenario, ['--command', command, ...args]);
  if (failure !== undefined) {
    throw failure;
  }
  return verdict;
}

/** Of all that it has written, in a folder of each run. */
async function readChecks(folder: string): Promise<z.output<typeof checksSchema>> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('checks.json'));
  const read = files.map(async (name) =>
    checksSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  return (await Promise.all(read)).flat();
}
