import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import { findRunner } from './runner/find-runner.ts';
import type { Runner } from './runner/runner.ts';

/** What runs scripts of skills, if anything does. */
export interface OpenRunner {
  wanted: boolean;
  /** Undefined where none is wanted, and where none works. */
  runner: Runner | undefined;
  /** What an operator should know. */
  warnings: string[];
}

/** Finds what SCRIPT_RUNNER asks for. That there is none stops nothing but scripts. */
export async function openRunner(
  { scriptRunner: settings }: Environment,
  log: Log,
): Promise<OpenRunner> {
  const { runner, reason } = await findRunner(settings);
  if (runner) {
    log.info({ tier: runner.tier, runtimes: runner.runtimes }, 'scripts can be run');
  }
  const warnings =
    reason === undefined
      ? []
      : [`Scripts of skills cannot be run (SCRIPT_RUNNER=${settings.wanted}): ${reason}`];
  return { wanted: settings.wanted !== 'off', runner, warnings };
}
