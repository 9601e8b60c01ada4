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
  /** What an operator should know. */
  warnings: string[];
  /** Where the runner keeps copies of skills; undefined until it knows the skills. */
  copying: SkillCopying | undefined;
  /** From now on its copies follow these skills. */
  follow(skills: SkillStore, contents: () => Contents): void;
  close(): void;
}

/** Finds what SCRIPT_RUNNER asks for. That there is none stops nothing but scripts. */
export async function openRunner(
  { scriptRunner: settings }: Environment,
  log: Log,
): Promise<OpenRunner> {
  const { runner, remote, reason } = await findRunner(settings);
  if (runner) {
    log.info({ tier: runner.tier, runtimes: runner.runtimes }, 'scripts can be run');
  }
  const opened: OpenRunner = {
    wanted: settings.wanted !== 'off',
    runner,
    warnings:
      reason === undefined
        ? []
        : [`Scripts of skills cannot be run (SCRIPT_RUNNER=${settings.wanted}): ${reason}`],
    copying: undefined,
    follow: (store, contents) => {
      const config = () => contents().skills;
      const { copiesAtOnce: atOnce } = settings;
      opened.copying = remote && copySkills({ runner: remote, store, config, atOnce });
    },
    close: () => {
      opened.copying?.close();
      remote?.close();
    },
  };
  return opened;
}
