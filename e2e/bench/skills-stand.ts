import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addScriptedModel, type Knowhow, repositoryRoot, startKnowhow } from '../start-knowhow.ts';
import { manySkills, skillText, writeSkills } from './many-skills.ts';
import { cpuMsOf, residentMbOf } from './process-cost.ts';
import { median } from './statistics.ts';

const rounds = 3;
/** So long after a start, what it left behind has been tidied up. */
const settledMs = 5000;
/** How often the server looks at every folder by itself. */
const checkMs = 8000;

/** What thousands of skills cost, taken once on a Knowhow of their own. */
export interface SkillFigures {
  /** The first scan, by the time that reading every `SKILL.md` takes 32 at a time. */
  scanRatio: number;
  /** Milliseconds until ready. */
  readyMs: number;
  /** Milliseconds to read and judge one skill, in the middle of all. */
  judgeMs: number;
  /** Milliseconds of processor time. */
  scanCpuMs: number;
  changeCpuMs: number;
  listCpuMs: number;
  turnCpuMs: number;
  /** The longest that `/api/health` took while the skills were read, and while all changed at once. */
  longestHealthMs: number;
  longestHealthChangingMs: number;
  kbPerSkill: number;
}

/** @param providerUrl a provider that answers at once */
export async function takeSkillFigures(providerUrl: string): Promise<SkillFigures> {
  const knowhow = await startKnowhow({
    prepare: (contents) => addScriptedModel(contents, providerUrl),
  });
  try {
    const without = await restarts(knowhow);
    const mbWithout = await residentMbOf(knowhow.pid);
    const files = await writeSkills(join(knowhow.contentsDir, 'skills'));
    await readAll(files);
    const loaded = await restarts(knowhow, () => readAll(files));
    const mb = await residentMbOf(knowhow.pid);
    const readyWithoutMs = median(without.map(({ readyMs }) => readyMs));
    const cpuWithoutMs = median(without.map(({ cpuMs }) => cpuMs));
    return {
      scanRatio: median(loaded.map((start) => (start.readyMs - readyWithoutMs) / start.beforeMs)),
      readyMs: median(loaded.map(({ readyMs }) => readyMs)),
      scanCpuMs: median(loaded.map(({ cpuMs }) => cpuMs)) - cpuWithoutMs,
      longestHealthMs: Math.max(...loaded.map(({ longestHealthMs }) => longestHealthMs)),
      judgeMs: await judgeOne(knowhow),
      kbPerSkill: ((mb - mbWithout) * 1000) / manySkills,
      changeCpuMs: await changeCost(knowhow, files),
      listCpuMs: await costOf(knowhow, 100, () => read(knowhow, '/api/skills')),
      turnCpuMs: await costOf(knowhow, 50, () => turn(knowhow)),
      longestHealthChangingMs: await changeAll(knowhow, files),
    };
  } finally {
    await knowhow.dispose();
  }
}

async function readAll(files: readonly string[]): Promise<number> {
  const started = performance.now();
  let next = 0;
  const readNext = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      await readFile(file);
    }
  };
  await Promise.all(Array.from({ length: 32 }, readNext));
  return performance.now() - started;
}

/** In a process of its own, so that this one can go on asking. */
const rewriteAll = `
  const { readFileSync, writeFileSync } = require('node:fs');
  for (let index = 0; index < Number(process.argv[1]); index++) {
    const file = 'skill-' + index + '/SKILL.md';
    writeFileSync(file, readFileSync(file, 'utf8').replace('description: ', 'description: All anew. '));
  }
`;

/** As the command `corpus` measures it. */
async function judgeOne({ contentsDir }: Knowhow): Promise<number> {
  const skills = join(contentsDir, 'skills');
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(repositoryRoot, 'server/bin/knowhow.mjs'),
    'corpus',
    skills,
  ]);
  return Number(/([\d.]+) ms the median/.exec(stdout)?.[1]);
}

/** Changes every skill at once; the longest that health took until the last change was seen. */
async function changeAll(knowhow: Knowhow, files: readonly string[]): Promise<number> {
  let seen = false;
  const changing = async () => {
    await promisify(execFile)(process.execPath, ['-e', rewriteAll, String(files.length)], {
      cwd: join(knowhow.contentsDir, 'skills'),
    });
    const last = `/api/skills/skill-${files.length - 1}`;
    while (!(await read(knowhow, last)).includes('All anew.')) {
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

interface Start {
  /** What was done before took so long. */
  beforeMs: number;
  readyMs: number;
  cpuMs: number;
  longestHealthMs: number;
}

/** Starts anew some times, and waits after the last until it has settled. */
async function restarts(
  knowhow: Knowhow,
  before: () => Promise<number> = () => Promise.resolve(0),
): Promise<Start[]> {
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    starts.push({ beforeMs: await before(), ...(await restart(knowhow)) });
  }
  await wait(settledMs);
  return starts;
}

/** Starts anew and asks for health all the while, as a load balancer would. */
async function restart(knowhow: Knowhow): Promise<Omit<Start, 'beforeMs'>> {
  await knowhow.end('SIGTERM');
  const started = performance.now();
  let ready = false;
  const running = knowhow.run().then(() => {
    ready = true;
  });
  const health: number[] = [];
  while (!ready) {
    const asked = performance.now();
    const answered = await fetch(`${knowhow.url}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) {
      health.push(performance.now() - asked);
    }
    await wait(5);
  }
  await running;
  const readyMs = performance.now() - started;
  // The first answer of a process pays for more than the skills.
  const longestHealthMs = Math.max(0, ...health.slice(1));
  return { readyMs, cpuMs: await cpuMsOf(knowhow.pid), longestHealthMs };
}

/**
 * One change of many, without what passes in as much time with none. The time is a multiple of the
 * server's own round, so that both hold as many of them.
 */
async function changeCost(knowhow: Knowhow, files: readonly string[]): Promise<number> {
  const spent = async (act: () => Promise<void>) => {
    const before = await cpuMsOf(knowhow.pid);
    const ends = performance.now() + 2 * checkMs;
    while (performance.now() < ends) {
      await act();
      await wait(400);
    }
    return (await cpuMsOf(knowhow.pid)) - before;
  };
  let changes = 0;
  const idle = await spent(() => Promise.resolve());
  const busy = await spent(async () => {
    await writeFile(files[changes] ?? '', skillText(changes, ' Changed.'));
    changes += 1;
  });
  return Math.max(0, busy - idle) / changes;
}

async function costOf(
  knowhow: Knowhow,
  times: number,
  act: () => Promise<unknown>,
): Promise<number> {
  await act();
  await act();
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = await cpuMsOf(knowhow.pid);
    for (let time = 0; time < times; time++) {
      await act();
    }
    rounds.push(((await cpuMsOf(knowhow.pid)) - before) / times);
  }
  return median(rounds);
}

async function read(knowhow: Knowhow, path: string): Promise<string> {
  return (await fetch(knowhow.url + path)).text();
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
