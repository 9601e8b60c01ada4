import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { changeJson } from '../change-json.ts';
import { type Knowhow, startKnowhow, switchRateLimitsOff } from '../start-knowhow.ts';
import { adminCookie } from './admin-cookie.ts';
import { startGitBackend } from './git-backend.ts';
import { skillText } from './many-skills.ts';
import type { Figure, Measure } from './measures.ts';
import type { Stand } from './stand.ts';
import { watchHealth } from './watch-health.ts';

const sourceSkills = 3000;
const changedSkills = 10;

/** A sync, its proposal, and taking all of it. */
interface SyncFigures {
  seconds: number;
  /** The longest `/api/health` request meanwhile, in milliseconds. */
  longestHealthMs: number;
  /** The longest pause of the server's event loop meanwhile, in milliseconds. */
  longestPauseMs: number;
}

interface SourceFigures {
  first: SyncFigures;
  second: SyncFigures;
}

let taken: Promise<SourceFigures> | undefined;

function figure(pick: (figures: SourceFigures) => number) {
  return async ({ profileArgs }: Stand): Promise<Figure> => {
    taken ??= measureSources(profileArgs);
    return { value: pick(await taken) };
  };
}

/** The cost of a repository with thousands of skills as a source. */
export const sourceMeasures: Measure[] = [
  {
    name: `first sync of ${sourceSkills} skills, and taking all`,
    unit: 's',
    target: { atMost: 60 },
    take: figure(({ first }) => first.seconds),
  },
  {
    name: 'longest pause of the event loop meanwhile',
    unit: 'ms',
    target: { atMost: 50 },
    take: figure(({ first }) => first.longestPauseMs),
  },
  {
    name: 'longest wait for health meanwhile',
    unit: 'ms',
    target: { atMost: 300 },
    take: figure(({ first }) => first.longestHealthMs),
  },
  {
    name: `sync with ${changedSkills} changes, and taking all`,
    unit: 's',
    target: { atMost: 3 },
    take: figure(({ second }) => second.seconds),
  },
  {
    name: 'longest pause of the event loop meanwhile',
    unit: 'ms',
    target: { atMost: 50 },
    take: figure(({ second }) => second.longestPauseMs),
  },
  {
    name: 'longest wait for health meanwhile',
    unit: 'ms',
    target: { atMost: 300 },
    take: figure(({ second }) => second.longestHealthMs),
  },
];

async function measureSources(nodeArgs: string[]): Promise<SourceFigures> {
  const git = await startGitBackend();
  const reporter = new URL('./report-pauses.js', import.meta.url).href;
  const knowhow = await startKnowhow({
    nodeArgs: [...nodeArgs, `--import=${reporter}`],
    prepare: async (contents) => {
      await switchRateLimitsOff(contents);
      await changeJson(join(contents, 'config', 'platform.json'), {
        outbound: { allowPrivate: ['127.0.0.1'] },
      });
    },
  });
  try {
    await git.commit(skillFiles(sourceSkills));
    const ask = asAdmin(knowhow, await adminCookie(knowhow));
    await ask('/api/admin/skill-sources', { id: 'bench', url: git.url });
    const first = await measureSync(knowhow, ask, sourceSkills);
    await wait(2000);
    await git.commit(skillFiles(changedSkills, 'Changed since.'));
    const second = await measureSync(knowhow, ask, changedSkills);
    return { first, second };
  } finally {
    await knowhow.end('SIGTERM');
    await knowhow.dispose();
    await git.dispose();
  }
}

type Ask = (path: string, body?: object) => Promise<unknown>;

function asAdmin({ url }: Knowhow, cookie: string): Ask {
  return async (path, body) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { cookie, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${path}: ${text.slice(0, 500)}`);
    }
    return JSON.parse(text);
  };
}

async function measureSync(knowhow: Knowhow, ask: Ask, expected: number): Promise<SyncFigures> {
  const at = '/api/admin/skill-sources/bench';
  await takeLongestPause(knowhow);
  const watch = watchHealth(knowhow);
  const started = performance.now();
  await ask(`${at}/sync`, {});
  const { changes } = (await ask(`${at}/proposal`)) as { changes: { key: string }[] };
  const take = changes.map(({ key }) => key);
  const { installed } = (await ask(`${at}/proposal/apply`, { take })) as { installed: string[] };
  const seconds = (performance.now() - started) / 1000;
  const longestHealthMs = await watch.end();
  if (installed.length !== expected) {
    throw new Error(`${installed.length} skills were installed instead of ${expected}.`);
  }
  return { seconds, longestHealthMs, longestPauseMs: await takeLongestPause(knowhow) };
}

/** The longest pause since the last call; see `report-pauses.ts`. */
async function takeLongestPause({ pid, dataDir }: Knowhow): Promise<number> {
  const file = join(dataDir, 'longest-pause');
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 500; tries++) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') {
      return Number(text);
    }
    await wait(20);
  }
  throw new Error('The server reported no pause within 10 s.');
}

/** Six files per skill, of sizes as in published ones. */
function skillFiles(count: number, note = ''): Map<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>();
  for (let index = 0; index < count; index++) {
    const folder = `skills/area-${index % 30}/skill-${index}`;
    const line = `Look at what task ${index} needs, then do the next thing with care.\n`;
    files.set(`${folder}/SKILL.md`, `${skillText(index)}\n${line.repeat(60)}\n${note}\n`);
    files.set(`${folder}/references/guide.md`, `# Guide ${index}\n\n${line.repeat(120)}`);
    files.set(`${folder}/references/prices.md`, `# Prices of task ${index}\n\n${line.repeat(40)}`);
    files.set(`${folder}/scripts/run.py`, `print("task ${index}")\n`.repeat(100));
    files.set(`${folder}/assets/table.csv`, `task,${index},1,2,3\n`.repeat(300));
    files.set(`${folder}/LICENSE.txt`, `${licence}Task ${index}\n`);
  }
  return files;
}

const licence =
  'Permission is granted to use this for every purpose, without any warranty.\n'.repeat(14);
