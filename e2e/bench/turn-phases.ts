import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../start-knowhow.ts';

/** A CPU profile as V8 writes it. */
interface CpuProfile {
  nodes: ProfileNode[];
  /** Ids of nodes. */
  samples: number[];
  /** Microseconds between samples. */
  timeDeltas: number[];
  /** Microseconds of the machine's monotonic clock. */
  startTime: number;
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  children?: number[];
}

/** From and to, in microseconds of the machine's monotonic clock. */
export type TimeWindow = readonly [from: number, to: number];

/** The phases of a turn, in their order, each with the source files that work for it. */
const phases: readonly [name: string, files: RegExp][] = [
  [
    'session',
    /modules\/identity\/(authenticators|session|caller|api-keys|proxy|oidc)|http\/session/,
  ],
  [
    'access',
    /modules\/identity\/|skill-view|http\/(check-access|rate-limit|csrf)|lib\/watch-access/,
  ],
  [
    'provider',
    /modules\/models\/|node_modules\/(openai|@ai-sdk|ai)\/|platform\/lib\/(guarded|outbound)/,
  ],
  ['fit', /chat\/(fit-context-window|message-tokens|calibrated-window|window)|tokenizer/],
  [
    'render',
    /modules\/chat\/(render|turn-tools|turn-messages|system-prompt|present)|modules\/(skills|tools|content|attachments)\//,
  ],
  ['relay', /modules\/chat\/events\/|lib\/event-|http\/(stream|follow-run|disconnect)/],
  ['observe', /modules\/insights\/|chat\/(observe-turn|titles)/],
  [
    'store',
    /modules\/conversations\/(answering|turn-store|begin-turn|record-rows|call-rows|activation-rows)|chat\/(save-answer|journal)/,
  ],
  ['load', /modules\/conversations\//],
  ['turn', /modules\/(chat|gateways)\//],
  ['database', /platform\/storage\/|node_modules\/(kysely|pg|pg-[a-z]+|better-sqlite3)\//],
  [
    'HTTP',
    /platform\/http\/|node_modules\/(express|router|finalhandler|body-parser|compression|raw-body|qs)\//,
  ],
];

/** The rows of a profile: the phases, then what belongs to none. */
export const phaseNames = [...phases.map(([name]) => name), 'other', 'Node', '(garbage collector)'];

/**
 * Adds up the processor time of a profile by phase. A sample counts for the innermost function that belongs to one.
 * Awaited work has no caller on the stack, so statements to the database have their own row.
 *
 * @param file the path of a CPU profile
 * @returns for each window, milliseconds by phase
 */
export async function sumPhases(
  file: string,
  windows: readonly TimeWindow[],
): Promise<Map<string, number>[]> {
  const profile = JSON.parse(await readFile(file, 'utf8')) as CpuProfile;
  const phaseOf = await classifyNodes(profile.nodes);
  const sums = windows.map(() => new Map<string, number>());
  let time = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    // The sample was taken at the end of its interval.
    const micros = profile.timeDeltas[index] ?? 0;
    time += micros;
    const phase = phaseOf.get(id);
    const at = windows.findIndex(([from, to]) => time >= from && time < to);
    const sum = sums[at];
    if (phase !== undefined && phase !== '(idle)' && sum) {
      sum.set(phase, (sum.get(phase) ?? 0) + micros / 1000);
    }
  }
  return sums;
}

/** The phase of each node; none for idle time. */
async function classifyNodes(nodes: readonly ProfileNode[]): Promise<Map<number, string>> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const maps = await readSourceMaps(nodes);
  const found = new Map<number, string>();
  // The first node is the root.
  const open = nodes.slice(0, 1).map((node) => ({ node, caller: 'Node' }));
  for (let next = open.pop(); next; next = open.pop()) {
    const phase = classify(next.node, maps, next.caller);
    found.set(next.node.id, phase);
    const children = (next.node.children ?? []).flatMap((id) => byId.get(id) ?? []);
    open.push(...children.map((node) => ({ node, caller: phase })));
  }
  return found;
}

/** The phase of a function; that of its caller if it works for any. */
function classify(
  { callFrame }: ProfileNode,
  maps: ReadonlyMap<string, SourceMap>,
  caller: string,
): string {
  const { functionName, url, lineNumber, columnNumber } = callFrame;
  if (functionName === '(idle)' || functionName === '(garbage collector)') {
    return functionName;
  }
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  const source = entry && 'originalSource' in entry ? entry.originalSource : url;
  const phase = phases.find(([, files]) => files.test(source))?.[0];
  return phase ?? (caller === 'Node' && maps.has(url) ? 'other' : caller);
}

async function readSourceMaps(nodes: readonly ProfileNode[]): Promise<Map<string, SourceMap>> {
  const urls = new Set(nodes.map(({ callFrame }) => callFrame.url));
  const maps = new Map<string, SourceMap>();
  for (const url of urls) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    // A file of the bundler alone has no map.
    if (relative(repositoryRoot, path).startsWith('server/dist') && existsSync(`${path}.map`)) {
      maps.set(url, new SourceMap(JSON.parse(await readFile(`${path}.map`, 'utf8'))));
    }
  }
  return maps;
}
