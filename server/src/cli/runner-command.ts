import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createSkillCopies, findRunner, type Runner, serveRunner } from '../modules/tools/index.ts';
import type { Terminal } from './terminal.ts';

const minTokenLength = 16;

/**
 * `knowhow runner`: runs scripts for a remote Knowhow server until stopped. Returns the exit code.
 */
export async function runnerCommand(
  { measure }: { measure: boolean },
  terminal: Terminal,
): Promise<number> {
  // Always bubblewrap: the environment may contain the settings of a server.
  const { runner, reason } = await findRunner({ wanted: 'bubblewrap' });
  if (!runner) {
    terminal.error(`Scripts cannot be run here: ${reason}`);
    return 1;
  }
  if (measure) {
    await measureRunner(runner, terminal);
    return 0;
  }
  const { host, port, dataDirectory, scriptRunner, stop } = terminal.runner();
  const { token = '' } = scriptRunner;
  if (token.length < minTokenLength) {
    terminal.error(`SCRIPT_RUNNER_TOKEN is missing: at least ${minTokenLength} characters.`);
    return 2;
  }
  const folder = join(dataDirectory, 'runner');
  await mkdir(folder, { recursive: true });
  const server = serveRunner({ runner, token, copies: createSkillCopies(folder) });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  const languages = Object.entries(runner.runtimes).map((each) => each.join(' ').trim());
  terminal.out(`Runs scripts (${languages.join(', ')}) at http://${host}:${listening}`);
  if (!stop.aborted) {
    await once(stop, 'abort');
  }
  server.close();
  server.closeAllConnections();
  return 0;
}

const rounds = 40;

const text = 'exit 0\n';

/** Measures the overhead of the runner, compared with running the same script directly. */
async function measureRunner(runner: Runner, terminal: Terminal): Promise<void> {
  const script = 'scripts/nothing.sh';
  const job = {
    kind: 'sh' as const,
    script,
    args: [],
    skill: { id: 'nothing', files: [{ path: script, bytes: Buffer.from(text) }] },
  };
  const inRunner: number[] = [];
  const direct: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    inRunner.push(await timed(() => runner.run(job, new AbortController().signal)));
    direct.push(await timed(async () => spawnSync('sh', ['-c', text])));
  }
  const [one, other] = [median(inRunner), median(direct)];
  terminal.out(
    `A script that does nothing: ${one.toFixed(1)} ms by ${runner.tier}, ${other.toFixed(1)} ms by itself; ${(one - other).toFixed(1)} ms are added (at most 40).`,
  );
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
