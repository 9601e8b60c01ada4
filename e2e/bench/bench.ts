/**
 * `npm run bench`: Knowhow's overhead compared with calling the provider directly, as ratios within one run,
 * so that the machine's speed cancels out.
 *
 * Four processes run on loopback: this one, which generates the load; a provider whose tokens are their own
 * timestamps (`stamping-provider.ts`); a bare relay, the minimal server in between (`bare-relay.ts`); and the
 * built product on a copy of `contents/`. Rate limits are off, because all load has one address. Each chat is
 * a new conversation in one of 50 anonymous sessions. The load treats all three the same: one HTTP request
 * per chat, one connection per user, every event split at its blank line and parsed as JSON, every token
 * counted. An incomplete answer fails the bench. After a warm-up the three take turns; each round starts with
 * another one. A figure is the median over the rounds of the ratio within a round, with a 95 % confidence interval.
 * Run it on an idle machine.
 *
 * `budgets.json` holds what figures may be, because they were measured. A figure is over its budget only if its whole
 * interval is; then the bench ends with exit code 1. The column "to reach" is what we want.
 *
 * `--on PostgreSQL` and `--on nodes` take the figures of chats with a PostgreSQL on this machine, and with three
 * servers that share one. Processor time is that of all servers, memory their average.
 *
 * - *first token*: from the start of the request to the arrival of the first token; the 95th percentile of a
 * round's chats. "In one instant": all 50 requests start in one turn of the event loop, and answers of 50
 * tokens arrive as fast as possible. This is the worst case, in which a chat waits for all earlier ones.
 * "Under way": 50 concurrent users, starts spread evenly, answers of 20 tokens, one every 20 ms. "200 chats": starts
 * within a second, answers of 100 tokens, one every 50 ms.
 * - *way of a token*: from the provider's timestamp to the arrival, over all tokens. Has no target.
 * - *tokens per second*: all tokens of the 20 chats, divided by the time until the last answer ends.
 * - *processor time*: user and system time of the process over all its threads (`/proc/<pid>/stat`), per
 * chat, relative to the relay. Includes storing traces and figures, which happens within a second of the answer.
 * - *vs. relay*: the same figure relative to the relay instead of the provider.
 * - *2000 messages*: a long conversation. A turn is prepared from the start of its request to the provider's
 * first token; a conversation is opened from requesting it to the last byte.
 * - *share of a request*: bytes of tools and messages that the next request starts with (prompt caching), the
 * minimum over 20 turns with four activations and two files.
 * - *memory*: resident set of the server process (`/proc/<pid>/status`), 3 s after it became ready and 3 s
 * after the load.
 * - *warm start*: from spawning `npm start` until `/api/ready` returns 200; the median of five after one
 * warm-up.
 *
 * - *skills*: a separate Knowhow with 10,000 generated skills. The first scan is the time until ready minus
 * that without skills, divided by the time `readFile` of `node:fs/promises` takes for the same files, 32 at a
 * time, just before; the median of three. `knowhow corpus` measures reading and validation, one skill after
 * the other. One change is the mean processor time of the changes in 16 s, minus that of 16 s without any,
 * relative to the first scan. Memory is what the skills add to the resident set 5 s after the start. Building
 * a request is what the skills add to the processor time of a turn, also while the app pins 1,000 of them. `gpt-tokenizer` counts a skill's
 * catalogue overhead beyond its texts.
 * - *real skills*: the same with 12,000 skills like published ones (`real-skills.ts`): three levels of
 * folders, three files per skill, nested metadata, lists, long descriptions. Processor time is that of the
 * server relative to this process for plain reading, over all threads.
 *
 * - *sources*: the system's git serves a repository of 3,000 skills with six files each. Seconds are those of the
 * requests to sync, to show the proposal, and to take all of it: at first, and after a commit that changes ten
 * skills. A pause is the longest interval between two turns of the server's event loop.
 *
 * - *clone*: the system's git clones the repository of 5,000 skills with two files each, twice, and pulls after
 * one change. The first clone includes reading all skills and building the repository.
 *
 * - *palette*: Chromium with a Knowhow of 5,000 generated skills, composer focused, page idle. Measured from
 * the key event in the page until the list is in the document and laid out: for `/` the full list; for a
 * letter after it, first the known entries as ranked, then the server's results.
 *
 * - *thread*: Chromium with conversations of 2,000 and of 200 messages. Opened: from the click on its title
 * to the frame with its last message in view; the median of five. Memory: JavaScript heap after a garbage
 * collection. During an answer of 1,000 tokens, one every 10 ms: the longest task, and the time between
 * frames. LCP: of the page at a first visit.
 *
 * - *turn*: only as `npm run bench -- turn`: the processor time of a turn by phase, from a CPU profile of the
 * server, on SQLite and PostgreSQL.
 *
 * - *retrieval*: only as `npm run bench -- retrieval DIR`, over the skills below a folder: `knowhow
 * retrieval` in its own process.
 *
 * - *scripts*: only as `npm run bench -- scripts`: the overhead of the sandbox for an empty script, from
 * `knowhow runner --measure`.
 *
 * - *nodes*: only as `npm run bench -- nodes`: one, two and three servers on one PostgreSQL behind HAProxy,
 * sharing this machine with the load; both must be installed.
 * - *large*: only as `npm run bench -- large`: the same with one server and a million messages in the
 * database.
 *
 * `npm run bench -- skills` takes only the figures of skills, `-- real-skills` only the second kind, `--
 * palette` only those of the palette, `-- thread` only those of long conversations in a browser, `-- chat`
 * only the others. The column "relay" is the same figure for the bare relay: about what Express and fetch can
 * achieve. Add further figures as entries in `measures.ts`. `--profile DIR` writes a CPU profile of the
 * server. Needs Linux for `/proc`.
 */
import { parseArgs } from 'node:util';
import { compareWithBudget } from './budgets.ts';
import { cloneMeasures } from './clone-measures.ts';
import { importMeasures } from './import-measures.ts';
import { measureLarge } from './measure-large.ts';
import { measureNodes } from './measure-nodes.ts';
import { measureRetrieval } from './measure-retrieval.ts';
import { type Figure, type Measure, measures } from './measures.ts';
import { paletteMeasures } from './palette-measures.ts';
import { runKnowhow } from './run-knowhow.ts';
import { realSkillMeasures, skillMeasures } from './skill-measures.ts';
import { sourceMeasures } from './source-measures.ts';
import { type DatabaseName, databases, startStand } from './stand.ts';
import { threadMeasures } from './thread-measures.ts';
import { profileTurns } from './turn-profile.ts';

const partsTitle = 'made of: direct, relay, knowhow';
const parts = {
  chat: measures,
  skills: skillMeasures,
  'real-skills': realSkillMeasures,
  import: importMeasures,
  sources: sourceMeasures,
  clone: cloneMeasures,
  palette: paletteMeasures,
  thread: threadMeasures,
};
const descriptions: Record<
  keyof typeof parts | 'turn' | 'retrieval' | 'scripts' | 'nodes' | 'large',
  string
> = {
  chat: 'overhead compared with calling the provider directly',
  skills: 'with 10,000 generated skills, and then with real ones',
  'real-skills': 'with 12,000 skills like those that people publish',
  import: 'installing 3,000 skills from one archive',
  sources: 'syncing a repository of 3,000 skills, and then 10 changes',
  clone: 'git clone of 5,000 skills',
  palette: 'latency of the / palette with 5,000 skills, in a browser',
  thread: 'performance of long conversations in a browser',
  turn: 'processor time of a turn by phase, on SQLite and PostgreSQL',
  retrieval: 'DIR: how often the prompts of authors retrieve the right skill',
  scripts: 'sandbox overhead of an empty script',
  nodes: 'throughput of one, two and three servers on one PostgreSQL',
  large: 'MESSAGES: a heavy user in a PostgreSQL with a million messages, or that many',
};
const { values, positionals } = readArguments();
const wanted = Object.entries(parts)
  .filter(([part]) => positionals.length === 0 || positionals.some((word) => part.endsWith(word)))
  .flatMap(([, some]) => some);
if (positionals[0] === 'retrieval') {
  process.exit(measureRetrieval(positionals[1]));
}
if (positionals[0] === 'turn') {
  await profileTurns();
  process.exit();
}
if (positionals[0] === 'scripts') {
  process.exit(runKnowhow(['runner', '--measure']));
}
if (positionals[0] === 'large') {
  await measureLarge(Number(positionals[1] ?? 1_000_000));
  process.exit();
}
if (positionals[0] === 'nodes') {
  await measureNodes();
  process.exit();
}
const on = readDatabase(values.on);
const stand = await startStand(values.profile, on);
try {
  printRow([on, 'figure', '95 % interval', 'to reach', '', 'budget', '', 'relay', partsTitle]);
  for (const measure of wanted) {
    printMeasure(measure, await measure.take(stand));
  }
} finally {
  await stand.stop();
}

function readArguments() {
  try {
    const options = {
      profile: { type: 'string' },
      on: { type: 'string', default: 'SQLite' },
      help: { type: 'boolean' },
    } as const;
    const read = parseArgs({ options, allowPositionals: true });
    const unknown = read.positionals
      .slice(0, 1)
      .filter((word) => !Object.hasOwn(descriptions, word));
    if (read.values.help || unknown.length > 0) {
      exitWithHelp(unknown.map((word) => `There is no part '${word}'.`));
    }
    return read;
  } catch (error) {
    return exitWithHelp([String(error instanceof Error ? error.message : error)]);
  }
}

function readDatabase(name: string): DatabaseName {
  return (
    databases.find((each) => each.toLowerCase() === name.toLowerCase()) ??
    exitWithHelp([`'--on ${name}' is none of ${databases.join(', ')}.`])
  );
}

/** @param problems errors in the arguments; empty if help was requested */
function exitWithHelp(problems: string[]): never {
  const rows = Object.entries(descriptions).map(([part, text]) => `  ${part.padEnd(16)} ${text}`);
  const lines = [
    ...problems,
    'npm run bench                     all parts except turn, retrieval, scripts, nodes and large',
    'npm run bench -- PART [PART …]    only some parts:',
    '',
    ...rows,
    '',
    '  --profile DIR    writes a CPU profile of the server',
    '  --on DATABASE    SQLite (default), PostgreSQL, or nodes: three servers on one PostgreSQL',
    '  --help           shows this help',
  ];
  console.log(lines.join('\n'));
  process.exit(problems.length > 0 ? 1 : 0);
}

function printMeasure(measure: Measure, figure: Figure): void {
  const { value, interval, relay, parts = {} } = figure;
  const { name, unit, partsUnit = '', target } = measure;
  const budget = compareWithBudget(on, measure, figure);
  if (budget?.isOver) {
    process.exitCode = 1;
  }
  const breakdown = [parts.direct, parts.relay, parts.knowhow].map((part) =>
    part ? short(part) : '-',
  );
  printRow([
    name,
    `${short(value)} ${unit}`,
    interval ? `${short(interval.low)} to ${short(interval.high)}` : '',
    target ? ('atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`) : '',
    target ? (isReached(target, value) ? 'reached' : 'NOT REACHED') : '',
    budget ? short(budget.value) : '',
    budget ? (budget.isOver ? 'OVER BUDGET' : 'kept') : '',
    relay ? short(relay) : '',
    partsUnit && `${breakdown.join(', ')} ${partsUnit}`,
  ]);
}

function isReached(target: NonNullable<Measure['target']>, value: number): boolean {
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}

function printRow(cells: string[]): void {
  const widths = [58, 14, 15, 9, 12, 7, 12, 6, 0];
  console.log(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' '));
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
