import { posix } from 'node:path';

interface Layer {
  name: string;
  /** Whether it may read and write files. */
  files?: boolean;
  /** The only ones of its files that others may import. */
  doors?: readonly string[];
}

/**
 * In, out, and what both share: limits, faults, names. Not one file, so that a command loads no more than
 * it needs.
 */
const publicModules = [
  'read-archive.ts',
  'split-files.ts',
  'open-zip-file.ts',
  'unpack-members.ts',
  'read-own-zip.ts',
  'office-parts.ts',
  'wanted-files.ts',
  'write-archive.ts',
  'stream-zip.ts',
  'unpack-limits.ts',
  'unpack-faults.ts',
  'unpack-format.ts',
  'collect-faults.ts',
  'unpack-names.ts',
  'unpack-roots.ts',
];

/** What others need of a skill, of its sources and of reading them; that some of them are folders is inside. */
const storeDoors = [
  'skill-store.ts',
  'skill-source.ts',
  'skill-snapshot.ts',
  'skill-content.ts',
  'list-files.ts',
  'digest-files.ts',
  'diagnose-content.ts',
  'skill-writer.ts',
  'skill-history.ts',
  'skill-sources.ts',
  'refused-folder.ts',
  'folder-source.ts',
  'plugin-source.ts',
  'read-source-folder.ts',
  'write-folder.ts',
  'scan-folder.ts',
  'find-skill-files.ts',
  'scan-limits.ts',
  'count-left-out.ts',
  'describe-left-out.ts',
  'describe-broken.ts',
];

/** The folders of the server, from the top: each may import only from those below it. */
export const layers: readonly Layer[] = [
  { name: 'cli', files: true },
  { name: 'http', files: true },
  { name: 'traces' },
  { name: 'analytics' },
  { name: 'admin' },
  { name: 'backup', files: true },
  { name: 'telemetry' },
  { name: 'openai-api' },
  { name: 'attachments' },
  { name: 'chat' },
  { name: 'mcp' },
  { name: 'tools' },
  { name: 'conversations' },
  { name: 'skills' },
  { name: 'access' },
  { name: 'content', files: true },
  { name: 'models' },
  { name: 'skill-store', files: true, doors: storeDoors },
  { name: 'conversion' },
  { name: 'archives', files: true, doors: publicModules },
  { name: 'skill-format', doors: ['skill-format.ts'] },
  { name: 'runner', files: true },
  { name: 'cluster' },
  { name: 'storage', files: true },
  { name: 'lib', files: true },
];

/** Packages that only some layers may import. */
const owners: readonly { packages: RegExp; layers: readonly string[] }[] = [
  { packages: /^(express|express-rate-limit|helmet|compression|busboy)(\/|$)/, layers: ['http'] },
  { packages: /^(libsql|pg)$/, layers: ['storage'] },
  { packages: /^@opentelemetry\//, layers: ['telemetry'] },
  { packages: /^@mozilla\/readability$/, layers: ['tools'] },
  { packages: /^linkedom$/, layers: ['tools', 'attachments'] },
  {
    packages: /^(unpdf|mammoth|read-excel-file|postal-mime)(\/|$)/,
    layers: ['attachments'],
  },
  { packages: /^@modelcontextprotocol\//, layers: ['mcp'] },
  { packages: /^undici$/, layers: ['lib'] },
  { packages: /^croner$/, layers: ['cluster'] },
  { packages: /^(adm-zip|yauzl|yazl|fflate)(\/|$)/, layers: ['archives'] },
  { packages: /^tar(\/|$)/, layers: ['archives', 'lib'] },
  {
    packages: /^(node:)?fs(\/|$)/,
    layers: layers.filter(({ files }) => files).map(({ name }) => name),
  },
];

/** What may run one thing at a time by itself: it bounds the work of this process, and guards no state. */
const oneAtATime = [
  'admin/run-triggers.ts',
  'attachments/read-document.ts',
  'backup/backups.ts',
  'conversations/conversation-store.ts',
  'cluster/local-locks.ts',
  'storage/long-reads.ts',
  'storage/postgres/node-connection.ts',
];

/** Who may know of another layer what PostgreSQL does otherwise: its like, and what works on PostgreSQL alone. */
const reachesPostgres = /^\w+\/postgres\/|^cli\/(?:migrate|push)-command\.ts$/;

/** Files that may send requests with Node's own modules: each bounds what it reads before anything parses it. */
const sendsRequests = ['lib/post-text.ts', 'runner/container/call-engine.ts'];

/** Files that may call `json()` of a response: their `fetch` bounds the body. All others take `readBoundedJson`. */
const parsesResponses = ['mcp/oauth/oauth-revoke.ts'];

/** What may hold state where it is imported: how much disk, memory or processor this process uses at once. */
const stateful = [
  'lib/paced-fs.ts',
  'archives/read-archive.ts',
  'http/read-upload.ts',
  'http/read-upload-to-file.ts',
];

/**
 * What breaks the structure, as `path: what is wrong`. Types count as any other import.
 *
 * @param sources texts by path from `server/src`; tests and `testing/` may import anything
 */
export function findViolations(sources: Readonly<Record<string, string>>): string[] {
  return Object.entries(sources)
    .filter(([path]) => !path.endsWith('.test.ts') && !path.startsWith('testing/'))
    .flatMap(([path, text]) =>
      [
        ...importsOf(text).map((imported) => wrongImport(path, imported)),
        holdsState(path, text) && 'holds state where it is imported',
        /\.json\(\)/.test(text) &&
          !parsesResponses.includes(path) &&
          'parses a response without limits: use readBoundedJson',
        /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/.test(text) &&
          !sendsRequests.includes(path) &&
          'sends requests by itself: use a guarded fetch or postText',
        /\blimitConcurrency\(1\)/.test(text) &&
          !oneAtATime.includes(path) &&
          'locks this process only: take a lock of the cluster',
      ].flatMap((wrong) => (wrong ? [`${path}: ${wrong}`] : [])),
    );
}

/** Rings of files of which each imports the next, as `a > b > a`; a ring is named once. */
export function findCycles(sources: Readonly<Record<string, string>>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const since = trail.indexOf(path);
    if (since >= 0) {
      cycles.push([...trail.slice(since), path].join(' > '));
      return;
    }
    if (done.has(path)) {
      return;
    }
    for (const imported of importsOf(sources[path] ?? '')) {
      if (imported.startsWith('.')) {
        visit(resolve(path, imported), [...trail, path]);
      }
    }
    done.add(path);
  };
  for (const path of Object.keys(sources)) {
    visit(path, []);
  }
  return cycles;
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, path = '']) => path);
}

function resolve(from: string, imported: string): string {
  return posix.normalize(posix.join(posix.dirname(from), imported));
}

function wrongImport(from: string, imported: string): string | undefined {
  const own = layerOf(from);
  if (!imported.startsWith('.')) {
    const owner = owners.find(({ packages }) => packages.test(imported));
    const isOwn = own === undefined || !owner || owner.layers.includes(own);
    return isOwn ? undefined : `only ${owner.layers.join(', ')} may import ${imported}`;
  }
  const path = resolve(from, imported);
  if (path.startsWith('..') || path.startsWith('testing/')) {
    return `imports ${path}, which is no part of the server`;
  }
  const other = layerOf(path);
  if (own === other) {
    return undefined;
  }
  if (own !== undefined && depthOf(other) <= depthOf(own)) {
    return `imports ${path} from above`;
  }
  if (own !== undefined && /^\w+\/postgres\//.test(path) && !reachesPostgres.test(from)) {
    return `imports ${path}: what PostgreSQL does otherwise, its own folder alone chooses`;
  }
  const doors = layers.find(({ name }) => name === other)?.doors;
  return doors && !doors.some((door) => path === `${other}/${door}`)
    ? `imports ${path} past ${doors.join(', ')}`
    : undefined;
}

/** The first folder; none for the files that put the layers together. */
function layerOf(path: string): string | undefined {
  return path.includes('/') ? path.split('/')[0] : undefined;
}

/** Higher is further down. */
function depthOf(layer: string | undefined): number {
  return layers.findIndex(({ name }) => name === layer);
}

/** A map, a set, a list or a variable at the top of a file, which each process would have for itself. */
function holdsState(path: string, text: string): boolean {
  const isMutable =
    /^(?:export )?(?:let|var) /m.test(text) ||
    /^(?:export )?const \w+(?:: (?!Readonly)[^=]+)? =\s+new (?:Map|Set)\b/m.test(text) ||
    /^(?:export )?const \w+(?:: (?!readonly|Readonly)[^=]+)? = (?:\[\]|\{\});$/m.test(text) ||
    /^\s+(?:(?:private|public) )?static (?!readonly )/m.test(text) ||
    /^(?:export )?const \w+ = (?:create\w+|limitConcurrency)\(/m.test(text);
  return isMutable && !stateful.includes(path);
}
