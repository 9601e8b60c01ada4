import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activate, dump, type ScriptedAnswer } from '../provider-script.ts';
import { ScriptedProvider } from '../scripted-provider.ts';
import {
  addScriptedModel,
  type Knowhow,
  startKnowhow,
  switchRateLimitsOff,
} from '../start-knowhow.ts';
import { startPostgres } from './own-postgres.ts';
import { anonymousCookie } from './stand.ts';
import { phaseNames, sumPhases, type TimeWindow } from './turn-phases.ts';

const turns = 300;
const warmUp = 100;
const words = dump('A word. '.repeat(50));
/** The model's answers in one turn. */
const kinds: Record<string, ScriptedAnswer[]> = {
  answer: [[words]],
  'one skill': [[activate('meeting-notes')], [words]],
};

/** Prints the processor time of a turn by phase, on SQLite and, where its package is installed, on PostgreSQL. */
export async function profileTurns(): Promise<void> {
  const columns = await profileOn('SQLite', {});
  try {
    const postgres = await startPostgres();
    const secret = { SECRET_KEY: randomBytes(32).toString('base64') };
    try {
      columns.push(...(await profileOn('PostgreSQL', { DATABASE_URL: postgres.url, ...secret })));
    } finally {
      await postgres.stop();
    }
  } catch (error) {
    console.log(`Not measured on PostgreSQL: ${error instanceof Error ? error.message : error}`);
  }
  console.log(`processor time of a turn in ms, over ${turns} turns, one after the other`);
  printRow(
    '',
    columns.map(({ title }) => title),
  );
  for (const name of phaseNames) {
    printRow(
      name,
      columns.map(({ sums }) => perTurn(sums.get(name) ?? 0)),
    );
  }
  printRow(
    'all',
    columns.map(({ sums }) => perTurn([...sums.values()].reduce((a, b) => a + b, 0))),
  );
}

interface Column {
  title: string;
  /** Milliseconds by phase. */
  sums: Map<string, number>;
}

async function profileOn(database: string, environment: Record<string, string>): Promise<Column[]> {
  const folder = await mkdtemp(join(tmpdir(), 'knowhow-profile-'));
  const provider = await ScriptedProvider.start();
  try {
    const knowhow = await startKnowhow({
      prepare: async (contents) => {
        await addScriptedModel(contents, provider.url);
        await switchRateLimitsOff(contents);
      },
      environment,
      nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=250'],
    });
    const windows = await runKinds(knowhow, provider);
    // The profiler writes its file when the process ends.
    await knowhow.end('SIGTERM');
    await knowhow.dispose();
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
    const sums = await sumPhases(join(folder, file), windows);
    return Object.keys(kinds).map((kind, at) => ({
      title: `${database}: ${kind}`,
      sums: sums[at] ?? new Map<string, number>(),
    }));
  } finally {
    provider.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runKinds(knowhow: Knowhow, provider: ScriptedProvider): Promise<TimeWindow[]> {
  const cookie = await anonymousCookie(knowhow.url);
  const windows: TimeWindow[] = [];
  for (const answers of Object.values(kinds)) {
    const run = async (count: number) => {
      for (let turn = 0; turn < count; turn++) {
        provider.reset();
        provider.plays(...answers);
        await runTurn(knowhow, cookie);
      }
    };
    await run(warmUp);
    const from = nowMicros();
    await run(turns);
    windows.push([from, nowMicros()]);
  }
  return windows;
}

async function runTurn({ url }: Knowhow, cookie: string): Promise<void> {
  const response = await fetch(`${url}/api/apps/chat/chat/${randomUUID()}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'What was decided?', model: 'scripted' }),
  });
  const text = await response.text();
  if (!text.includes('event: done')) {
    throw new Error(`A turn failed: ${text.slice(0, 300)}`);
  }
}

/** The machine's monotonic clock, which profiles use. */
function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

function perTurn(milliseconds: number): string {
  return (milliseconds / turns).toFixed(3);
}

function printRow(name: string, cells: readonly string[]): void {
  console.log([name.padEnd(20), ...cells.map((cell) => cell.padStart(22))].join(' '));
}
