import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  addScriptedModel,
  type Knowhow,
  repositoryRoot,
  startKnowhow,
  switchRateLimitsOff,
} from '../start-knowhow.ts';
import { adminCookie } from './admin-cookie.ts';
import { catalogueOverhead } from './catalogue-overhead.ts';
import { manySkills, skillText, writeSkills } from './many-skills.ts';
import { getCpuMs, getResidentMb } from './process-cost.ts';
import { measureCost, measureRestarts, medianOf, read, scanCost } from './skill-starts.ts';

/** Number of skills that an app pins. */
export const pinnedSkills = 1000;

/** How often the server rescans every folder. */
const checkMs = 8000;

/** The cost of thousands of skills, measured once on a separate Knowhow. */
export interface SkillFigures {
  /** The first scan relative to reading every `SKILL.md`, 32 at a time. */
  scanRatio: number;
  /** Milliseconds until ready. */
  readyMs: number;
  /** Median milliseconds to read and validate one skill. */
  judgeMs: number;
  /** Processor time in milliseconds. */
  scanCpuMs: number;
  changeCpuMs: number;
  listCpuMs: number;
  turnCpuMs: number;
  /** The same while the app pins `pinnedSkills` of them. */
  pinnedTurnCpuMs: number;
  /** The same with the few skills of a new installation. */
  plainTurnCpuMs: number;
  /** Tokens of a skill in the catalogue beyond its name and description. */
  overheadTokens: number;
  /** Maximum duration of `/api/health` while the skills were read, and while all changed at once. */
  longestHealthMs: number;
  longestHealthChangingMs: number;
  kbPerSkill: number;
}

/** @param providerUrl a provider that responds immediately */
export async function measureSkills(providerUrl: string): Promise<SkillFigures> {
  const knowhow = await startKnowhow({
    prepare: async (contents) => {
      await addScriptedModel(contents, providerUrl);
      await switchRateLimitsOff(contents);
    },
  });
  try {
    const without = await measureRestarts(knowhow, []);
    const plainTurnCpuMs = await measureCost(knowhow, 50, () => turn(knowhow));
    const mbWithout = await getResidentMb(knowhow.pid);
    const files = await writeSkills(join(knowhow.contentsDir, 'skills'));
    const loaded = await measureRestarts(knowhow, files);
    const mb = await getResidentMb(knowhow.pid);
    const { scan, ratio } = scanCost(loaded, without);
    return {
      scanRatio: ratio.ms,
      readyMs: medianOf(loaded, 'readyMs'),
      scanCpuMs: scan.cpuMs,
      longestHealthMs: Math.max(0, ...loaded.flatMap(({ healthMs }) => healthMs)),
      judgeMs: await validateOne(knowhow),
      plainTurnCpuMs,
      overheadTokens: await catalogueOverhead(join(knowhow.contentsDir, 'skills')),
      kbPerSkill: ((mb - mbWithout) * 1000) / manySkills,
      changeCpuMs: await changeCost(knowhow, files),
      listCpuMs: await measureCost(knowhow, 100, () => read(knowhow, '/api/skills')),
      turnCpuMs: await measureCost(knowhow, 50, () => turn(knowhow)),
      pinnedTurnCpuMs: await pinnedTurnCost(knowhow),
      longestHealthChangingMs: await changeAll(knowhow, files),
    };
  } finally {
    await knowhow.dispose();
  }
}

/** Runs in its own process, so that this one can keep polling. */
const rewriteAll = `
  const { readFileSync, writeFileSync } = require('node:fs');
  for (let index = 0; index < Number(process.argv[1]); index++) {
    const file = 'skill-' + index + '/SKILL.md';
    writeFileSync(file, readFileSync(file, 'utf8').replace('description: ', 'description: All again. '));
  }
`;

/** As measured by the command `corpus`. */
async function validateOne({ contentsDir }: Knowhow): Promise<number> {
  const skills = join(contentsDir, 'skills');
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(repositoryRoot, 'server/bin/knowhow.mjs'),
    'corpus',
    skills,
  ]);
  return Number(/([\d.]+) ms the median/.exec(stdout)?.[1]);
}

/** Changes every skill at once. Returns the longest health check until the last change was visible. */
async function changeAll(knowhow: Knowhow, files: readonly string[]): Promise<number> {
  let seen = false;
  const changing = async () => {
    await promisify(execFile)(process.execPath, ['-e', rewriteAll, String(files.length)], {
      cwd: join(knowhow.contentsDir, 'skills'),
    });
    const last = `/api/skills/skill-${files.length - 1}`;
    while (!(await read(knowhow, last)).includes('All again.')) {
      await wait(100);
    }
    seen = true;
  };
  const health: number[] = [];
  const watching = async () => {
    while (!seen) {
      const asked = performance.now();
      await read(knowhow, '/api/health');
      health.push(performance.now() - asked);
      await wait(5);
    }
  };
  await Promise.all([changing(), watching()]);
  return Math.max(...health);
}

/**
 * The cost of one change, minus the idle cost over the same time. The time is a multiple of the server's scan
 * interval, so that both contain the same number of scans.
 */
async function changeCost(knowhow: Knowhow, files: readonly string[]): Promise<number> {
  const spent = async (act: () => Promise<void>) => {
    const before = await getCpuMs(knowhow.pid);
    const ends = performance.now() + 2 * checkMs;
    while (performance.now() < ends) {
      await act();
      await wait(400);
    }
    return (await getCpuMs(knowhow.pid)) - before;
  };
  let changes = 0;
  const idle = await spent(() => Promise.resolve());
  const busy = await spent(async () => {
    await writeFile(files[changes] ?? '', skillText(changes, ' Changed.'));
    changes += 1;
  });
  return Math.max(0, busy - idle) / changes;
}

/** Pins the first version of skills in the app, then measures a turn. */
async function pinnedTurnCost(knowhow: Knowhow): Promise<number> {
  const headers = { cookie: await adminCookie(knowhow) };
  const pins = Array.from({ length: pinnedSkills }, (_, index) => `skill-${index}`);
  for (const name of pins) {
    // Listing the versions of a skill records its first one.
    const { status } = await fetch(`${knowhow.url}/api/skill-versions/${name}`, { headers });
    if (status !== 200) {
      throw new Error(`The versions of ${name} answered ${status}.`);
    }
  }
  const last = pinnedSkills - 1;
  const skillPath = join(knowhow.contentsDir, 'skills', `skill-${last}`, 'SKILL.md');
  const appPath = join(knowhow.contentsDir, 'apps/chat.json');
  const [skill, app] = await Promise.all([readFile(skillPath, 'utf8'), readFile(appPath, 'utf8')]);
  // Its first version is offered again once the pins are read.
  await writeFile(skillPath, skillText(last, ' Edited.'));
  await waitFor(async () => (await read(knowhow, `/api/skills/skill-${last}`)).includes('Edited.'));
  const skills = ['*', ...pins.map((name) => ({ name, version: 1 }))];
  await writeFile(appPath, JSON.stringify({ ...JSON.parse(app), skills }));
  await waitFor(
    async () => !(await read(knowhow, `/api/skills/skill-${last}`)).includes('Edited.'),
  );
  const cost = await measureCost(knowhow, 50, () => turn(knowhow));
  await Promise.all([writeFile(skillPath, skill), writeFile(appPath, app)]);
  return cost;
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const ends = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > ends) {
      throw new Error('The pins were not read within a minute.');
    }
    await wait(200);
  }
}

async function turn(knowhow: Knowhow): Promise<string> {
  const response = await fetch(`${knowhow.url}/api/apps/chat/chat/${randomUUID()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'bench tokens=1 wait=0 every=0' }),
  });
  const text = await response.text();
  if (!text.includes('event: done')) {
    throw new Error(`A turn with ${manySkills} skills failed: ${text.slice(0, 300)}`);
  }
  return text;
}
