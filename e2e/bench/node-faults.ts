/**
 * `npm run faults [-- --seconds 60 --chats 300 --only PostgreSQL]`: whether several servers on one PostgreSQL lose or spoil anything while
 * they are killed, hang, have the wrong time, or lose their database. Three nodes of the built product, the third with a
 * clock an hour ahead, behind HAProxy without stickiness; chats go on all the time. After each fault, each question
 * that was acknowledged has to be stored, each answer whole or marked, and no model asked twice. Then 1,000
 * files of skills are written over all nodes, whose folders have to be equal within 2 s. Ends with 1 when something is wrong.
 * Needs PostgreSQL and HAProxy, as packages of the system.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type FaultChats, startFaultChats, wrongWith } from './fault-chats.ts';
import { type NodeStand, startNodeStand } from './node-stand.ts';
import { writeSkills } from './node-writes.ts';
import { startHelper } from './stand.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    chats: { type: 'string', default: '300' },
    writes: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const chatCount = Number(values.chats);
const writes = Number(values.writes);
const words = 40;
/** Within this, an answer of a node that died is marked by whoever looks. */
const markedMs = 12_000;

/** What is done to the servers while people ask. */
type Fault = (stand: NodeStand, ms: number) => Promise<void>;

const faults: Record<string, Fault> = {
  'a node is killed every 10 s': async (stand, ms) => {
    for (let round = 0; round < Math.max(1, ms / 10_000); round += 1) {
      await wait(5000);
      const node = stand.nodes[round % stand.nodes.length];
      await node?.end('SIGKILL');
      await wait(5000);
      await node?.run();
    }
  },
  'a node hangs': async ({ nodes }, ms) => {
    const pid = nodes[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await wait(ms);
    process.kill(pid, 'SIGCONT');
    await wait(5000);
  },
  'PostgreSQL is restarted, twice': async ({ postgres }) => {
    await wait(5000);
    await postgres.restart('fast');
    await wait(10_000);
    await postgres.restart('immediate');
    await wait(10_000);
  },
  'the connections that listen are cut, four times': async ({ postgres }) => {
    for (let round = 0; round < 4; round += 1) {
      await wait(2000);
      await postgres.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'",
      );
    }
    await wait(3000);
  },
};

const anHourAhead = `data:text/javascript,${encodeURIComponent(
  'const Real = Date; const ahead = 3600000; globalThis.Date = class Date extends Real { constructor(...given) { if (given.length === 0) { super(Real.now() + ahead); } else { super(...given); } } static now() { return Real.now() + ahead; } };',
)}`;

let isRight = true;
const provider = await startHelper('./counting-provider.js', String(words), '100');
const stand = await startNodeStand({
  count: 3,
  providerUrl: provider.url,
  nodeArgs: (index) => (index === 2 ? ['--import', anHourAhead] : []),
});
try {
  for (const [name, fault] of Object.entries(faults)) {
    if (!name.includes(values.only)) {
      continue;
    }
    const chats = await startFaultChats(stand.url, chatCount);
    await fault(stand, seconds * 1000);
    await chats.stop();
    await wait(markedMs);
    await report(name, chats);
    const died = stand.nodes.filter(({ isRunning }) => !isRunning);
    const said = died.map(({ lastOutput }) => `a node has ended by itself: ${lastOutput}`);
    if (said.length > 0) {
      say('processes', [], said);
    }
  }
  const { wrong, lines } = await writeSkills(stand, writes);
  say('files written over three nodes', lines, wrong);
} finally {
  await stand.stop();
  provider.child.disconnect();
}
process.exitCode = isRight ? 0 : 1;

async function report(name: string, chats: FaultChats): Promise<void> {
  const counts = (await (await fetch(`${provider.url}/asked`)).json()) as Record<string, number>;
  const { wrong, ends } = await wrongWith(chats, { url: stand.url, counts, words });
  const refused = Object.fromEntries(chats.refused);
  say(
    name,
    [`${chats.asked.length} asked`, `ended ${show(ends)}`, `refused ${show(refused)}`],
    wrong,
  );
}

function show(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([what, count]) => `${what}: ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function say(name: string, lines: readonly string[], wrong: readonly string[]): void {
  isRight &&= wrong.length === 0;
  console.log(`\n${name}: ${wrong.length === 0 ? 'right' : `${wrong.length} WRONG`}`);
  for (const line of [...lines, ...wrong.slice(0, 20)]) {
    console.log(`  ${line}`);
  }
}
