import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Contents } from './content/contents.ts';
import type { Environment } from './env.ts';
import type { Log } from './lib/log.ts';
import { findRunner } from './runner/find-runner.ts';
import type { Runner } from './runner/runner.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import { copySkills, type SkillCopying } from './skills/copy-skills.ts';

/** What runs scripts of skills, if anything does. */
export interface OpenRunner {
  wanted: boolean;
  /** Undefined where none is wanted, and where none works. */
  runner: Runner | undefined;
  /** What an operator should know now. */
  readonly warnings: string[];
  /** Where the runner keeps copies of skills; undefined until it knows the skills. */
  copying: SkillCopying | undefined;
  /** From now on its copies follow these skills. */
  follow(skills: SkillStore, contents: () => Contents): void;
  close(): void;
}

/** Finds what SCRIPT_RUNNER asks for. That there is none stops nothing but scripts. */
export async function openRunner(
  { scriptRunner: settings, dataDirectory }: Environment,
  log: Log,
): Promise<OpenRunner> {
  // The folder is ours alone on this machine.
  const owner = createHash('sha256').update(`${hostname()}\0${dataDirectory}`).digest('hex');
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
      opened.copying = remote && copySkills({ runner: remote, store, config, atOnce });
    },
    close: () => {
      opened.copying?.close();
      found.close?.();
    },
  };
  return opened;
}
