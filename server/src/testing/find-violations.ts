import { posix } from 'node:path';

interface Layer {
  name: string;
  /** Its folder, or its only file; the name if omitted. `*` matches one folder. */
  path?: string;
  /** Whether it may access files. */
  files?: boolean;
  /** The only files that other layers may import. */
  entryPoints?: readonly string[];
}

/** Layers of the server from top to bottom; each may import only from those below. */
export const layers: readonly Layer[] = [
  { name: 'cli', files: true },
  { name: 'routes', path: 'modules/*/routes', files: true },
  { name: 'tables', path: 'tables.ts' },
  { name: 'insights', path: 'modules/insights' },
  { name: 'traces', path: 'modules/insights/traces' },
  { name: 'analytics', path: 'modules/insights/analytics' },
  { name: 'admin', path: 'modules/admin' },
  { name: 'operations', path: 'modules/operations', files: true },
  { name: 'telemetry', path: 'modules/insights/telemetry' },
  { name: 'openai-api', path: 'modules/gateways/openai-api' },
  { name: 'attachments', path: 'modules/attachments' },
  { name: 'chat', path: 'modules/chat' },
  { name: 'mcp', path: 'modules/tools/mcp' },
  { name: 'tools', path: 'modules/tools' },
  { name: 'conversations', path: 'modules/conversations' },
  { name: 'skills', path: 'modules/skills' },
  { name: 'identity', path: 'modules/identity' },
  { name: 'content', path: 'modules/content', files: true },
  { name: 'models', path: 'modules/models' },
  { name: 'skill-store', path: 'modules/skills/store', files: true },
  { name: 'git', path: 'modules/skills/git', files: true },
  { name: 'conversion', path: 'modules/skills/conversion' },
  { name: 'archives', path: 'modules/skills/archives', files: true },
  { name: 'runner', path: 'modules/tools/runner', files: true },
  { name: 'http', path: 'platform/http', files: true },
  { name: 'cluster', path: 'platform/cluster' },
  { name: 'storage', path: 'platform/storage', files: true },
  { name: 'lib', path: 'platform/lib', files: true },
];

/** Packages restricted to some layers. */
const restrictedPackages: readonly { packages: RegExp; layers: readonly string[] }[] = [
  // Authenticators read requests.
  { packages: /^express$/, layers: ['routes', 'http', 'identity'] },
  {
    packages: /^(express-rate-limit|helmet|compression|busboy)(\/|$)/,
    layers: ['http'],
  },
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

/** Files that may use a process-local queue: it limits load but protects no shared state. */
const oneAtATime = [
  'modules/skills/git/git-reader.ts',
  'modules/admin/triggers/run-triggers.ts',
  'modules/admin/routes/skill-draft-routes.ts',
  'modules/attachments/read-document.ts',
  'modules/operations/backups.ts',
  'modules/conversations/conversation-store.ts',
  'platform/cluster/local-locks.ts',
  'platform/storage/long-reads.ts',
  'platform/storage/postgres/node-connection.ts',
];

/**
 * Files that may import PostgreSQL code of another layer: its counterparts, and commands that only
 * work on PostgreSQL.
 */
const reachesPostgres = /^platform\/\w+\/postgres\/|^cli\/(?:migrate|push)-command\.ts$/;

/**
 * Files that may send requests with Node's HTTP modules; each limits the response before parsing.
 */
const sendsRequests = [
  'platform/lib/post-text.ts',
  'modules/tools/runner/container/call-engine.ts',
];

/**
 * Files that may call `json()` of a response, because their `fetch` limits the body. Others must
 * use `readBoundedJson`.
 */
const parsesResponses = ['modules/tools/mcp/oauth/oauth-revoke.ts'];

/** Files that may hold module state, which limits the resources used by this process. */
const stateful = [
  'platform/lib/paced-fs.ts',
  'modules/skills/archives/read-archive.ts',
  'platform/http/read-upload.ts',
];

/**
 * Violations of the architecture, as `path: problem`. Type imports count as well.
 *
 * @param sources texts by path below `server/src`; tests and `testing/` may import anything
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

/** Import cycles, as `a > b > a`, each reported once. */
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
    const owner = restrictedPackages.find(({ packages }) => packages.test(imported));
    const isOwn = own === undefined || !owner || owner.layers.includes(own.name);
    return isOwn ? undefined : `only ${owner.layers.join(', ')} may import ${imported}`;
  }
  const path = resolve(from, imported);
  if (path.startsWith('../../locales/')) {
    // Texts, whose types follow from the English files.
    return undefined;
  }
  if (path.startsWith('..') || path.startsWith('testing/')) {
    return `imports ${path}, which is no part of the server`;
  }
  const other = layerOf(path);
  const door = doorOf(path);
  const isWithin = moduleOf(from) === moduleOf(path);
  if (own === other || (isWithin && from === door)) {
    return undefined;
  }
  if (own !== undefined && depthOf(other) <= depthOf(own)) {
    return `imports ${path} from above`;
  }
  if (door !== undefined && !isWithin && path !== door) {
    return `imports ${path} past ${door}`;
  }
  if (own !== undefined && /^platform\/\w+\/postgres\//.test(path) && !reachesPostgres.test(from)) {
    return `imports ${path}: only the folder of its SQLite counterpart may choose PostgreSQL`;
  }
  const entryPoints = other?.entryPoints;
  return entryPoints && !entryPoints.some((door) => path === `${folderOf(other)}/${door}`)
    ? `imports ${path} past ${entryPoints.join(', ')}`
    : undefined;
}

/**
 * The only file of a module that others may import. Undefined for the platform, and for what only the
 * lists of modules and tables, and other routes import.
 */
function doorOf(path: string): string | undefined {
  const name = moduleOf(path);
  const isRegistered = /^modules\/[^/]+\/(?:routes\/|(?:module|tables)\b)/.test(path);
  return name === undefined || name === 'platform' || isRegistered
    ? undefined
    : `modules/${name}/index.ts`;
}

/** The innermost layer of a file; undefined for the files that compose the layers. */
function layerOf(path: string): Layer | undefined {
  if (/^modules\/[^/]+\/module\.ts$/.test(path)) {
    return layers.find(({ name }) => name === 'routes');
  }
  return layers
    .filter((layer) => contains(namesIn(layer), path))
    .sort((one, other) => namesIn(other).length - namesIn(one).length)[0];
}

function contains(folder: readonly string[], path: string): boolean {
  const names = path.split('/');
  return folder.every((name, at) => name === names[at] || (name === '*' && at < names.length));
}

/** The folders on the way to a layer. */
function namesIn(layer: Layer): string[] {
  return folderOf(layer).split('/');
}

export function folderOf({ name, path = name }: Layer): string {
  return path;
}

/** A higher number is a lower layer. */
function depthOf(layer: Layer | undefined): number {
  return layer ? layers.indexOf(layer) : -1;
}

/**
 * The imports between modules, as `from > to`: a module is a folder of `modules/`, and everything in
 * `platform/` counts as one. Routes are left out: they may use every module, and none imports them.
 */
export function moduleImports(sources: Readonly<Record<string, string>>): string[] {
  const found = new Set<string>();
  for (const [path, text] of Object.entries(sources)) {
    const from = moduleOf(path);
    const isLeftOut = path.endsWith('.test.ts') || layerOf(path)?.name === 'routes';
    for (const imported of isLeftOut ? [] : importsOf(text)) {
      const to = imported.startsWith('.') ? moduleOf(resolve(path, imported)) : undefined;
      if (from && to && from !== to) {
        found.add(`${from} > ${to}`);
      }
    }
  }
  return [...found].sort();
}

function moduleOf(path: string): string | undefined {
  return /^modules\/([^/]+)\//.exec(path)?.[1] ?? /^(platform)\//.exec(path)?.[1];
}

/** Mutable module state: a map, set, list or variable, of which each process would have its own. */
function holdsState(path: string, text: string): boolean {
  const isMutable =
    /^(?:export )?(?:let|var) /m.test(text) ||
    /^(?:export )?const \w+(?:: (?!Readonly)[^=]+)? =\s+new (?:Map|Set)\b/m.test(text) ||
    /^(?:export )?const \w+(?:: (?!readonly|Readonly)[^=]+)? = (?:\[\]|\{\});$/m.test(text) ||
    /^\s+(?:(?:private|public) )?static (?!readonly )/m.test(text) ||
    /^(?:export )?const \w+ = (?:create\w+|limitConcurrency)\(/m.test(text);
  return isMutable && !stateful.includes(path);
}
