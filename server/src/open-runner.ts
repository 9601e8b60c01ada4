import { hostname } from 'node:os';
import type { Environment } from './env.ts';
import type { Contents } from './modules/content/index.ts';
import type { SkillStore } from './modules/skills/index.ts';
import { createSkillSync, findRunner, type Runner, type SkillSync } from './modules/tools/index.ts';
import type { Log } from './platform/lib/log.ts';
import { sha256 } from './platform/lib/sha256.ts';

/** The script runner, if configured. */
export interface OpenRunner {
  wanted: boolean;
  /** Undefined if disabled or not working. */
  runner: Runner | undefined;
  /** Current warnings for operators. */
  readonly warnings: string[];
  /** Syncs copies of skills to the runner; undefined until `follow` is called. */
  copying: SkillSync | undefined;
  /** Starts syncing skills to the runner. */
  follow(skills: SkillStore, contents: () => Contents): void;
  close(): void;
}

/** Finds the runner requested by SCRIPT_RUNNER. Without one, only scripts are unavailable. */
export async function openRunner(
  { scriptRunner: settings, dataDirectory }: Environment,
  log: Log,
): Promise<OpenRunner> {
  // Unique, since the data folder is locked by this process.
  const owner = sha256(`${hostname()}\0${dataDirectory}`);
  const found = await findRunner({ ...settings, owner });
  const { runner, remote, reason } = found;
  if (runner) {
    log.info({ tier: runner.tier, runtimes: runner.runtimes }, 'scripts can be run');
  }
  const opened: OpenRunner = {
    wanted: settings.wanted !== 'off',
    runner,
    get warnings() {
      const wanted = `SCRIPT_RUNNER=${settings.wanted}`;
      const problems = found.problems?.() ?? [];
      return [
        ...(reason === undefined ? [] : [`Scripts of skills cannot be run (${wanted}): ${reason}`]),
        ...problems.map((problem) => `Scripts of skills (${wanted}): ${problem}`),
      ];
    },
    copying: undefined,
    follow: (store, contents) => {
      const config = () => contents().skills;
      const { copiesAtOnce: atOnce } = settings;
      opened.copying = remote && createSkillSync({ runner: remote, store, config, atOnce });
    },
    close: () => {
      opened.copying?.close();
      found.close?.();
    },
  };
  return opened;
}
