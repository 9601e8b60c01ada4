/**
 * `npm run bench`: what Knowhow costs beside talking to the provider oneself, as ratios taken in
 * one run, so that the machine's speed cancels out.
 *
 * Four processes on loopback: this one, which is the load; a provider whose tokens are the time of
 * their own sending (`stamping-provider.ts`); a bare relay, the least a server in between can do
 * (`bare-relay.ts`); and the built product on a copy of `contents/`, with rate limits off (all the
 * load has one address), each chat a new conversation in one of 50 anonymous sessions. The load
 * makes and reads all three the same way: one HTTP request a chat, each user on a connection of
 * their own, every event cut at its blank line and parsed as JSON, every token counted; a chat not
 * answered whole fails the bench. Everything is warmed up first; then the three take turns, each
 * round begins with another one, and a figure is the median over the rounds of the ratio within a
 * round. Nothing else should use the machine meanwhile.
 *
 * - *first token*: from the start of the request to the arrival of the first token at the load;
 *   the 95th percentile of a round's chats. "In one instant": all 50 requests start in one turn of
 *   the event loop, answers of 50 tokens come as fast as they can; the harshest case, in which a
 *   chat waits for all before it. "Under way": 50 users each in conversation, their starts spread
 *   evenly, answers of 20 tokens, one each 20 ms.
 * - *way of a token*: from the provider's stamp to the arrival, over all tokens. Has no target.
 * - *tokens per second*: all tokens of the 20 chats, by the time until the last answer ends.
 * - *processor time*: user and system time of the process over all its threads
 *   (`/proc/<pid>/stat`), a chat, summed over all rounds; the relay's is the measure.
 * - *beside the bare relay*: the same figure by that of the relay, instead of by that of the provider.
 * - *2000 messages*: of a conversation held turn by turn. A turn is prepared from the start of its request
 *   to the provider's first token; a conversation is opened from asking for it to the last byte.
 * - *share of a request*: bytes of tools and messages that the next request begins with, the least over 20
 *   turns with four activations and two files.
 * - *memory*: resident set of the server's process (`/proc/<pid>/status`), 3 s after it became
 *   ready and 3 s after the load.
 * - *warm start*: from spawning `npm start` to `/api/ready` answering 200; one start to warm up, then
 *   the median of five.
 *
 * - *skills*: a Knowhow of its own with 10,000 generated skills. The first scan is the time until ready
 *   less that without skills, by the time `readFile` of `node:fs/promises` takes for the same files, 32
 *   at a time, just before; the median of three. Reading and judging is what `knowhow corpus` measures,
 *   one skill after the other. One change is the mean processor time of the changes
 *   in 16 s, less that of 16 s without any, by that of the first scan; memory is what the skills add to
 *   the resident set 5 s after the start. Building a request is what the skills add to the processor time
 *   of a turn; what a skill has in the catalogue beside its texts is counted by `gpt-tokenizer`.
 * - *real skills*: the same with 12,000 skills like those that people publish (`real-skills.ts`): three
 *   levels of folders, three files a skill, nested metadata, lists, long descriptions. Processor time
 *   is that of the server by that of this process for plain reading, all threads counted.
 *
 * - *palette*: Chromium before a Knowhow with 5,000 generated skills, the composer focused and the page quiet.
 *   From the event of a key, in the page, until the list is in the document and laid out: for `/` the whole
 *   list, for a letter after it what is known ranked by it, and what the server says to it.
 *
 * - *thread*: Chromium before conversations of 2,000 and of 200 messages. Opened: from a click on its title to the
 *   frame in which its last message is in view; the median of five. Memory: what JavaScript holds after a collection.
 *   While an answer of 1,000 tokens comes, one each 10 ms: the longest task, and the time between frames. LCP: of the
 *   page of a first visit.
 *
 * - *retrieval*: only as `npm run bench -- retrieval DIR`, over the skills below a folder: `knowhow
 *   retrieval` in a process of its own.
 *
 * - *scripts*: only as `npm run bench -- scripts`: what a sandbox adds to a script that does nothing, by
 *   `knowhow runner --measure`.
 *
 * - *nodes*: only as `npm run bench -- nodes`: one, two and three servers on one PostgreSQL behind HAProxy, which
 *   all share this machine with the load; both have to be installed.
 * - *large*: only as `npm run bench -- large`: the same with one server, and a million messages in the database.
 *
 * `npm run bench -- skills` takes only the figures of skills, `-- real-skills` only the second kind,
 * `-- palette` only those of the palette, `-- thread` only those of long conversations in a browser, `-- chat` only the others.
 * The column "relay" is the same figure of the bare relay: about what is possible with Express and
 * fetch. A further figure is an entry in `measures.ts`. `--profile DIR` writes a CPU profile of the
 * server. Needs Linux for `/proc`.
 */
import { parseArgs } from 'node:util';
import { measureLarge } from './measure-large.ts';
import { measureNodes } from './measure-nodes.ts';
import { measureRetrieval } from './measure-retrieval.ts';
import { type Figure, type Measure, measures } from './measures.ts';
import { paletteMeasures } from './palette-measures.ts';
import { runKnowhow } from './run-knowhow.ts';
import { realSkillMeasures, skillMeasures } from './skill-measures.ts';
import { startStand } from './stand.ts';
import { threadMeasures } from './thread-measures.ts';

const parts = {
  chat: measures,
  skills: skillMeasures,
  'real-skills': realSkillMeasures,
  palette: paletteMeasures,
  thread: threadMeasures,
};
const about: Record<keyof typeof parts | 'retrieval' | 'scripts' | 'nodes' | 'large', string> = {
  chat: 'what Knowhow costs beside talking to the provider oneself',
  skills: 'with 10,000 generated skills, and then with real ones',
  'real-skills': 'with 12,000 skills like those that people publish',
  palette: 'how long whoever types / waits at 5,000 skills, in a browser',
  thread: 'how a browser copes with long conversations',
  retrieval: 'DIR: how often the right skill is found for the prompts of their authors',
  scripts: 'what a sandbox adds to a script that does nothing',
  nodes: 'what one, two and three servers on one PostgreSQL do',
  large: 'MESSAGES: one who has much, in a PostgreSQL with a million messages, or so many',
};
const { values, positionals } = readArguments();
const wanted = Object.entries(parts)
  .filter(([part]) => positionals.length === 0 || positionals.some((word) => part.endsWith(word)))
  .flatMap(([, some]) => some);
if (positionals[0] === 'retrieval') {
  process.exit(measureRetrieval(positionals[1]));
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
const stand = await startStand(values.profile);
try {
  printRow(['', 'figure', 'to reach', '', 'relay', 'made of: direct, relay, knowhow']);
  for (const measure of wanted) {
    printMeasure(measure, await measure.take(stand));
  }
} finally {
  await stand.stop();
}

function readArguments() {
  try {
    const options = { profile: { type: 'string' }, help: { type: 'boolean' } } as const;
    const read = parseArgs({ options, allowPositionals: true });
    const unknown = read.positionals.slice(0, 1).filter((word) => !Object.hasOwn(about, word));
    if (read.values.help || unknown.length > 0) {
      exitWithHelp(unknown.map((word) => `There is no part '${word}'.`));
    }
    return read;
  } catch (error) {
    return exitWithHelp([String(error instanceof Error ? error.message : error)]);
  }
}

/** @param problems what is wrong with the arguments; none where help was asked for */
function exitWithHelp(problems: string[]): never {
  const rows = Object.entries(about).map(([part, text]) => `  ${part.padEnd(16)} ${text}`);
  const lines = [
    ...problems,
    'npm run bench                     all but retrieval, scripts, nodes and large',
    'npm run bench -- PART [PART …]    some of it:',
    '',
    ...rows,
    '',
    '  --profile DIR    writes a CPU profile of the server',
    '  --help           says this',
  ];
  console.log(lines.join('\n'));
  process.exit(problems.length > 0 ? 1 : 0);
}

function printMeasure(measure: Measure, { value, relay, parts = {} }: Figure): void {
  const { name, unit, partsUnit = '', target } = measure;
  const made = [parts.direct, parts.relay, parts.knowhow].map((part) => (part ? short(part) : '-'));
  printRow([
    name,
    `${short(value)} ${unit}`,
    target ? ('atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`) : '',
    target ? (isReached(target, value) ? 'reached' : 'NOT REACHED') : '',
    relay ? short(relay) : '',
    partsUnit && `${made.join(', ')} ${partsUnit}`,
  ]);
}

function isReached(target: NonNullable<Measure['target']>, value: number): boolean {
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}

function printRow(cells: string[]): void {
  const widths = [58, 14, 9, 12, 6, 0];
  console.log(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' '));
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
