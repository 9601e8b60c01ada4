/**
 * `npm run faults [-- --only NAME --seconds 60 --chats 300]`: fault injection (chaos test) for several
 * servers on one PostgreSQL. Checks that they lose and corrupt nothing while they are killed, hang, have a
 * wrong clock, or lose their database. Runs three nodes of the built product, the third with a clock an hour
 * ahead, behind HAProxy without stickiness. Chats run continuously, and a third of the readers reload. After
 * each fault: every acknowledged question is stored, every answer is complete or marked and as its reader was
 * told, no model was called twice, and no node crashed. Then 1,000 skill files are written across all nodes,
 * whose folders must converge within 2 s. Exits with 1 on any violation. `--only mixed` is one run of eight
 * minutes with 40 chats. Needs the system packages of PostgreSQL and HAProxy; filling a disk needs root.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Knowhow } from '../start-knowhow.ts';
import { type FaultChats, findDefects, startFaultChats } from './fault-chats.ts';
import { type NodeStand, startNodeStand } from './node-stand.ts';
import { writeSkills } from './node-writes.ts';
import type { PostgresKind } from './own-postgres.ts';
import { startHelper } from './stand.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    chats: { type: 'string' },
    writes: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
});
const writes = Number(values.writes);
const words = 40;
/** For a node that starts while all others are busy, or PostgreSQL is down. */
const startMs = 120_000;
/** Within this time, other nodes mark the answers of a dead node as interrupted. */
const markedMs = 12_000;

/** A fault to inject while people ask. */
interface Fault {
  /** The kind of PostgreSQL that it needs. */
  kind?: PostgresKind;
  /** Default values of `--seconds` and `--chats`. */
  seconds?: number;
  chats?: number;
  run(stand: NodeStand, ms: number): Promise<void>;
}

/** Kills a node and restarts it. */
async function crash({ nodes }: NodeStand, number: number): Promise<void> {
  const node = nodes[number % nodes.length];
  recordExits(nodes);
  await node?.end('SIGKILL');
  await wait(5000);
  await node?.run(startMs);
}

async function hang({ nodes }: NodeStand, number: number, ms: number): Promise<void> {
  const pid = nodes[number]?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  await wait(ms);
  process.kill(pid, 'SIGCONT');
}

const faults: Record<string, Fault> = {
  'a node is killed every 10 s': {
    run: async (stand, ms) => {
      for (let round = 0; round < Math.max(1, ms / 10_000); round += 1) {
        await wait(5000);
        await crash(stand, round);
      }
    },
  },
  'a node hangs': {
    run: async (stand, ms) => {
      await hang(stand, 0, ms);
      await wait(5000);
    },
  },
  'PostgreSQL is restarted, twice': {
    run: async ({ postgres }) => {
      await wait(5000);
      await postgres.restart('fast');
      await wait(10_000);
      await postgres.restart('immediate');
      await wait(10_000);
    },
  },
  'PostgreSQL is away for 0.2, 2, 5 and 30 s': {
    run: async ({ postgres }) => {
      for (const awayMs of [200, 2000, 5000, 30_000]) {
        await wait(5000);
        await postgres.restart('fast', awayMs);
      }
      await wait(5000);
    },
  },
  'the disk of PostgreSQL is full for 20 s': {
    kind: 'small disk',
    run: async ({ postgres }) => {
      await wait(5000);
      await postgres.fillDisk(20_000);
      await wait(5000);
    },
  },
  'PostgreSQL fails over to a replica': {
    kind: 'replica',
    run: async ({ postgres }) => {
      await wait(5000);
      await postgres.failOver(2000);
      await wait(10_000);
    },
  },
  'the connections that listen are cut, four times': {
    run: async ({ postgres }) => {
      for (let round = 0; round < 4; round += 1) {
        await wait(2000);
        await postgres.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'",
        );
      }
      await wait(3000);
    },
  },
  'mixed: a kill every 15 s, a node that hangs for 30 s, PostgreSQL away for 5 s': {
    seconds: 480,
    chats: 40,
    run: async (stand, ms) => {
      const rounds = Math.max(4, Math.round(ms / 15_000));
      const [hangAt, restartAt] = [Math.floor(rounds / 4), Math.floor(rounds / 2)];
      let hanging: Promise<void> = Promise.resolve();
      for (let round = 0; round < rounds; round += 1) {
        const next = wait(15_000);
        if (round === hangAt) {
          hanging = hang(stand, 2, 30_000);
        }
        if (round === restartAt) {
          await stand.postgres.restart('fast', 5000);
        }
        await crash(stand, round % 2);
        await next;
      }
      await hanging;
    },
  },
};

const clockAheadImport = `data:text/javascript,${encodeURIComponent(
  'const Real = Date; const ahead = 3600000; globalThis.Date = class Date extends Real { constructor(...given) { if (given.length === 0) { super(Real.now() + ahead); } else { super(...given); } } static now() { return Real.now() + ahead; } };',
)}`;

let hasPassed = true;
const provider = await startHelper('./counting-provider.js', String(words), '100');
/** The last output of nodes that exited without a signal. */
const ended = new Set<string>();
let stand: NodeStand | undefined;
let standKind: PostgresKind | undefined;
try {
  for (const [name, fault] of Object.entries(faults)) {
    if (name.includes(values.only)) {
      await injectFault(name, fault, await getStand(fault.kind ?? 'plain'));
    }
  }
  const files = 'files written over three nodes';
  if (files.includes(values.only)) {
    const { wrong, lines } = await writeSkills(await getStand('plain'), writes);
    printResult(files, lines, wrong);
  }
} finally {
  await stand?.stop();
  provider.child.disconnect();
}
process.exitCode = hasPassed ? 0 : 1;

/** The running stand, or a new one if another kind of PostgreSQL is needed. */
async function getStand(kind: PostgresKind): Promise<NodeStand> {
  if (!stand || standKind !== kind) {
    await stand?.stop();
    stand = undefined;
    stand = await startNodeStand({
      count: 3,
      kind,
      providerUrl: provider.url,
      nodeArgs: (index) => (index === 2 ? ['--import', clockAheadImport] : []),
    });
    standKind = kind;
  }
  return stand;
}

async function injectFault(name: string, fault: Fault, on: NodeStand): Promise<void> {
  const seconds = Number(values.seconds ?? fault.seconds ?? 60);
  ended.clear();
  const chats = await startFaultChats(on.url, Number(values.chats ?? fault.chats ?? 300));
  await fault.run(on, seconds * 1000);
  await chats.stop();
  await wait(markedMs);
  recordExits(on.nodes);
  await Promise.all(on.nodes.map((node) => (node.isRunning ? undefined : node.run())));
  await report(name, chats, on);
}

function recordExits(nodes: readonly Knowhow[]): void {
  for (const { isRunning, lastOutput } of nodes) {
    if (!isRunning) {
      ended.add(`a node exited unexpectedly: ${lastOutput}`);
    }
  }
}

async function report(name: string, chats: FaultChats, { url }: NodeStand): Promise<void> {
  const counts = (await (await fetch(`${provider.url}/asked`)).json()) as Record<string, number>;
  const { wrong, wrongs, ends } = await findDefects(chats, { url, counts, words });
  const refused = Object.fromEntries(chats.refused);
  const reloading = chats.asked.filter(({ reloads }) => reloads).length;
  printResult(
    name,
    [
      `${chats.asked.length} asked, ${reloading} of them by readers who reload`,
      `ended ${formatCounts(ends)}`,
      `refused ${formatCounts(refused)}`,
      formatCounts({ ...wrongs, 'unexpected node exits': ended.size }),
    ],
    [...wrong, ...ended],
  );
}

function formatCounts(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([what, count]) => `${what}: ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function printResult(name: string, lines: readonly string[], wrong: readonly string[]): void {
  hasPassed &&= wrong.length === 0;
  console.log(`\n${name}: ${wrong.length === 0 ? 'passed' : `${wrong.length} WRONG`}`);
  for (const line of [...lines, ...wrong.slice(0, 20)]) {
    console.log(`  ${line}`);
  }
}
