import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Knowhow, startKnowhow } from '../start-knowhow.ts';
import { skillText } from './many-skills.ts';
import type { Figure, Measure } from './measures.ts';
import type { Stand } from './stand.ts';
import { watchHealth } from './watch-health.ts';

const clonedSkills = 5000;

interface CloneFigures {
  /** After a start: the skills are read, and the repository is built. In seconds. */
  firstSeconds: number;
  secondSeconds: number;
  /** After a change of one skill, so that the repository is built again. */
  pullSeconds: number;
  /** The longest `/api/health` request meanwhile, in milliseconds. */
  longestHealthMs: number;
}

let taken: Promise<CloneFigures> | undefined;

function figure(pick: (figures: CloneFigures) => number) {
  return async ({ profileArgs }: Stand): Promise<Figure> => {
    taken ??= measureClones(profileArgs);
    return { value: pick(await taken) };
  };
}

/** `git clone` of thousands of skills with two files each. */
export const cloneMeasures: Measure[] = [
  {
    name: `first git clone of ${clonedSkills} skills`,
    unit: 's',
    target: { atMost: 10 },
    take: figure(({ firstSeconds }) => firstSeconds),
  },
  {
    name: 'second git clone',
    unit: 's',
    target: { atMost: 10 },
    take: figure(({ secondSeconds }) => secondSeconds),
  },
  {
    name: 'git pull after one change',
    unit: 's',
    target: { atMost: 10 },
    take: figure(({ pullSeconds }) => pullSeconds),
  },
  {
    name: 'longest wait for health meanwhile',
    unit: 'ms',
    target: { atMost: 300 },
    take: figure(({ longestHealthMs }) => longestHealthMs),
  },
];

async function measureClones(nodeArgs: string[]): Promise<CloneFigures> {
  const knowhow = await startKnowhow({ nodeArgs, prepare: writeSkills });
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-clone-'));
  const git = (...args: string[]) =>
    promisify(execFile)('git', args, {
      cwd: folder,
      env: { ...knowhow.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  const clone = (name: string) =>
    timed(() =>
      git('clone', '--quiet', '-c', 'pull.rebase=true', `${knowhow.url}/git/skills.git`, name),
    );
  try {
    const watch = watchHealth(knowhow);
    const firstSeconds = await clone('first');
    const secondSeconds = await clone('second');
    await writeFile(join(skillFolder(knowhow.contentsDir, 0), 'references/prices.md'), 'Changed.');
    const pullSeconds = await timed(() => git('-C', 'second', 'pull', '--quiet'));
    const longestHealthMs = await watch.end();
    await checkClone(git, knowhow);
    return { firstSeconds, secondSeconds, pullSeconds, longestHealthMs };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await knowhow.end('SIGTERM');
    await knowhow.dispose();
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

type Git = (...args: string[]) => Promise<{ stdout: string }>;

async function checkClone(git: Git, { lastOutput }: Knowhow): Promise<void> {
  const { stdout } = await git('-C', 'second', 'ls-files', 'skills/*/SKILL.md');
  const changed = await git('-C', 'second', 'show', 'HEAD:skills/skill-0/references/prices.md');
  if (stdout.trim().split('\n').length < clonedSkills || changed.stdout !== 'Changed.') {
    throw new Error(`The clone is not complete. Output of the server:\n${lastOutput}`);
  }
}

function skillFolder(contents: string, index: number): string {
  return join(contents, 'skills', `skill-${index}`);
}

async function writeSkills(contents: string): Promise<void> {
  for (let index = 0; index < clonedSkills; index++) {
    const folder = skillFolder(contents, index);
    await mkdir(join(folder, 'references'), { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), skillText(index));
    await writeFile(join(folder, 'references/prices.md'), `# Prices of task ${index}\n`);
  }
}
