import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  findCycles,
  findViolations,
  folderOf,
  layers,
  moduleImports,
} from './testing/find-violations.ts';
import { temporaryFolder } from './testing/write-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sources by path, of all TypeScript files in a folder. */
function sourcesIn(folder: string): Record<string, string> {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path, readFileSync(join(root, folder, path), 'utf8')]),
  );
}

const server = sourcesIn('server/src');

/** These parse binary formats, whose bytes are not text written by people. */
const binaryReaders = [
  'modules/attachments/formats/read-rtf.ts',
  'modules/attachments/pictures/clean-jpeg.ts',
  'modules/attachments/pictures/clean-png.ts',
  'modules/attachments/pictures/clean-webp.ts',
  'modules/attachments/sniff-file.ts',
  'platform/lib/read-tar.ts',
  'modules/tools/runner/container/split-report.ts',
  'modules/tools/runner/job-files.ts',
  'modules/tools/runner/run-sandbox.ts',
  'modules/skills/store/read-plain-folder.ts',
  'platform/storage/assert-not-truncated.ts',
];

/** Whether code decodes bytes itself, in an encoding other than UTF-8. */
function decodesBytes(text: string): boolean {
  const labels = [...text.matchAll(/new TextDecoder\(\s*([^,)]*)/g)].map(([, label = '']) => label);
  return (
    labels.some((label) => !/^(?:|(['"`])utf-?8\1)\s*$/i.test(label)) ||
    /\b(?:toString|setEncoding|transcode)\(\s*['"`](?:latin1|binary|ascii)\b/i.test(text)
  );
}

describe('decoding of bytes', () => {
  test('happens only in platform/lib/decode-bytes', () => {
    const found = Object.entries(server).filter(
      ([path, text]) =>
        !/\.test\.ts$|^testing\//.test(path) && !binaryReaders.includes(path) && decodesBytes(text),
    );
    expect(found.map(([path]) => path)).toEqual([]);
  });

  test('has no obsolete exceptions', () => {
    expect(binaryReaders.filter((path) => !decodesBytes(server[path] ?? ''))).toEqual([]);
  });

  test.each([
    ["new TextDecoder('windows-1252').decode(bytes)", true],
    ["new TextDecoder(\n  'utf-16le',\n)", true],
    ['new TextDecoder(label, { fatal: true })', true],
    ["bytes.toString('latin1')", true],
    ['bytes.toString("binary", 0, 4)', true],
    ["new TextDecoder('utf-8', { fatal: true })", false],
    ['new TextDecoder()', false],
    ["bytes.toString('utf8')", false],
  ])('detects %s: %s', (code, isFound) => {
    expect(decodesBytes(code)).toBe(isFound);
  });
});

describe('the layers of the server', () => {
  test('import only from below, through public modules, and hold no state', () => {
    expect(findViolations(server)).toEqual([]);
  });

  test('are all listed', () => {
    const foldersIn = (path: string) =>
      readdirSync(join(root, 'server/src', path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(path, name));
    const folders = [...foldersIn(''), ...foldersIn('platform'), ...foldersIn('modules')];
    const listed = layers.map(folderOf);
    const isListed = (folder: string) =>
      listed.some((known) => known === folder || known.startsWith(`${folder}/`));
    expect(folders.filter((folder) => folder !== 'testing' && !isListed(folder))).toEqual([]);
    const isThere = (folder: string) => {
      const pattern = new RegExp(`^${folder.replace('*', '[^/]+')}(?:/|$)`);
      return Object.keys(server).some((path) => pattern.test(path));
    };
    expect(listed.filter((folder) => !isThere(folder))).toEqual([]);
  });

  test.each([
    [
      'modules/chat/x.ts',
      "import type { A } from './routes/a.ts';",
      'imports modules/chat/routes/a.ts from above',
    ],
    [
      'modules/chat/x.ts',
      "import { a } from '../../open-skills.ts';",
      'imports open-skills.ts from above',
    ],
    ['modules/chat/x.ts', "import { env } from '../../env.ts';", 'imports env.ts from above'],
    [
      'modules/chat/deep/x.ts',
      "import { a } from '../../../cli/a.ts';",
      'imports cli/a.ts from above',
    ],
    [
      'modules/chat/x.ts',
      "import { a } from '../../../src/env.ts';",
      'imports ../src/env.ts, which is no part',
    ],
    ['modules/chat/x.ts', "const a = await import('../../app.ts');", 'imports app.ts from above'],
    [
      'modules/chat/x.ts',
      "import '../../../../e2e/a.ts';",
      'imports ../../e2e/a.ts, which is no part of',
    ],
    [
      'modules/chat/x.ts',
      "import { a } from '../../testing/a.ts';",
      'imports testing/a.ts, which is no part',
    ],
    [
      'modules/chat/x.ts',
      "import { readFile } from 'node:fs/promises';",
      'may import node:fs/promises',
    ],
    ['modules/chat/x.ts', "import { readFileSync } from 'fs';", 'may import fs'],
    ['modules/chat/x.ts', "import express from 'express';", 'identity may import express'],
    [
      'modules/operations/x.ts',
      "import { a } from '../skills/archives/zip-layout.ts';",
      'past modules/skills/index.ts',
    ],
    [
      'modules/admin/x.ts',
      "import type { FolderSkill } from '../skills/store/folder-skill.ts';",
      'past modules/skills/index.ts',
    ],
    [
      'open-x.ts',
      "import { walkFolder } from './modules/skills/store/walk-folder.ts';",
      'past modules/skills/index.ts',
    ],
    ['modules/operations/x.ts', "import { ZipFile } from 'yazl';", 'only archives may import yazl'],
    ['modules/admin/x.ts', "import AdmZip from 'adm-zip';", 'only archives may import adm-zip'],
    ['platform/http/x.ts', "import Libsql from 'libsql';", 'only storage may import libsql'],
    ['modules/chat/x.ts', 'const turns = new Map<string, string>();', 'holds state'],
    ['modules/chat/x.ts', 'export const turns: Set<string> = new Set();', 'holds state'],
    ['modules/chat/x.ts', 'let turns = 0;', 'holds state'],
    ['modules/chat/x.ts', 'const semaphore = createSemaphore(2, 4);', 'holds state'],
    ['modules/chat/x.ts', 'const atMostTwo = limitConcurrency(2);', 'holds state'],
    ['modules/chat/x.ts', 'const openLock = () => limitConcurrency(1);', 'locks this process only'],
    ['modules/identity/x.ts', 'const keys = await answer.json();', 'without limits'],
    ['modules/models/x.ts', "import { request } from 'node:https';", 'sends requests by itself'],
    [
      'modules/chat/x.ts',
      "import { trace } from '@opentelemetry/api';",
      'only telemetry may import',
    ],
    ['modules/operations/x.ts', "import { Cron } from 'croner';", 'only cluster may import croner'],
    ['modules/tools/x.ts', "import { fetch } from 'undici';", 'only lib may import undici'],
    ['modules/tools/mcp/x.ts', "import pg from 'pg';", 'only storage may import pg'],
    [
      'platform/cluster/postgres/x.ts',
      "import { a } from '../../../modules/content/shared/a.ts';",
      'imports modules/content/shared/a.ts from above',
    ],
    [
      'modules/content/shared/x.ts',
      "import type { Caller } from '../../identity/caller.ts';",
      'imports modules/identity/caller.ts from above',
    ],
    [
      'platform/storage/postgres/x.ts',
      "import { a } from '../../cluster/cluster.ts';",
      'imports platform/cluster/cluster.ts from above',
    ],
    [
      'modules/identity/oidc/x.ts',
      "import { a } from '../../chat/a.ts';",
      'imports modules/chat/a.ts from above',
    ],
    [
      'modules/chat/x.ts',
      "import { a } from '../../platform/storage/postgres/a.ts';",
      'only the folder of its SQLite counterpart',
    ],
    ['modules/identity/quotas/x.ts', 'const used = new Map<string, number>();', 'holds state'],
    ['modules/identity/x.ts', 'const callers: string[] = [];', 'holds state'],
    ['modules/identity/x.ts', 'export const known: Record<string, string> = {};', 'holds state'],
    ['modules/identity/x.ts', 'class A {\n  static count = 0;\n}', 'holds state'],
  ])('rejects in %s: %s', (path, text, wrong) => {
    const found = findViolations({ [path]: `${text}\n` });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(wrong);
  });

  test('may import from below and from shared, and hold constants', () => {
    const text = `
      import { readFile } from 'node:fs/promises';
      import { problem } from '@knowhow/shared/problem';
      import { a } from '../../platform/lib/a.ts';
    `;
    const constant = "\nconst names: ReadonlySet<string> = new Set(['a']);\n";
    expect(findViolations({ 'modules/content/x.ts': text + constant })).toEqual([]);
  });
});

describe('the modules of the server', () => {
  const edges = moduleImports(server).map((edge) => edge.split(' > ') as [string, string]);
  const others = edges.filter(([, to]) => to !== 'platform');
  const reaches = (from: string, to: string): boolean =>
    others.some(([one, other]) => one === from && (other === to || reaches(other, to)));

  test('are imported without cycles, and the platform imports none of them', () => {
    expect(edges.filter(([from]) => from === 'platform')).toEqual([]);
    const sources = Object.fromEntries(
      others.map(([from]) => [
        from,
        others.flatMap(([one, to]) => (one === from ? `import './${to}';` : [])).join('\n'),
      ]),
    );
    expect(findCycles(sources)).toEqual([]);
  });

  test('are drawn in docs/architecture.md as they are', () => {
    // An arrow that a longer way replaces is left out.
    const drawn = others.filter(
      ([from, to]) =>
        !others.some(([one, middle]) => one === from && middle !== to && reaches(middle, to)),
    );
    const lines = drawn.map(([from, to]) => `  ${from} --> ${to}`);
    const diagram = ['```mermaid', 'graph TD', ...lines, '```'].join('\n');
    expect(readFileSync(join(root, 'docs/architecture.md'), 'utf8')).toContain(diagram);
  });
});

describe('cycles', () => {
  test.each(['server/src', 'client/src', 'shared/src'])('do not exist in %s', (folder) => {
    expect(findCycles(sourcesIn(folder))).toEqual([]);
  });

  test('are detected, including type imports', () => {
    const ring = {
      'lib/a.ts': "import type { B } from './b.ts';",
      'lib/b.ts': "import { c } from '../storage/c.ts';",
      'storage/c.ts': "import { a } from '../lib/a.ts';",
    };
    expect(findCycles(ring)).toEqual(['lib/a.ts > lib/b.ts > storage/c.ts > lib/a.ts']);
  });
});

/** Files that each violate one lint rule. */
const planted: Record<string, string> = {
  'server/src/platform/lib/environment.ts': 'export const home = process.env.HOME;\n',
  'server/src/env.ts': 'export const home = process.env.HOME;\n',
  'server/src/platform/lib/any.ts': 'export const a = (b: any) => b;\n',
  'server/src/platform/lib/non-null.ts': 'export const a = (b?: string) => b!.length;\n',
  'server/src/platform/lib/barrel.ts': "export * from './thing.ts';\n",
  'server/src/platform/lib/pipe.ts':
    'export const a = (b: NodeJS.ReadStream) => b.pipe(process.stdout);\n',
  'server/src/platform/lib/long.ts': 'export const a = [\n  1,\n];\n'.repeat(134),
};

describe('the linter', () => {
  /** Violations as `path rule`. */
  let found: string[];

  beforeAll(async () => {
    found = await lint(planted);
  });

  test.each([
    ['server/src/platform/lib/environment.ts', 'noProcessEnv'],
    ['server/src/platform/lib/any.ts', 'noExplicitAny'],
    ['server/src/platform/lib/non-null.ts', 'noNonNullAssertion'],
    ['server/src/platform/lib/barrel.ts', 'noReExportAll'],
    ['server/src/platform/lib/pipe.ts', 'plugin'],
    ['server/src/platform/lib/long.ts', 'noExcessiveLinesPerFile'],
  ])('rejects %s for %s', (path, rule) => {
    expect(found).toContain(`${path} ${rule}`);
  });

  test('lets env.ts read the environment', () => {
    expect(found).not.toContain('server/src/env.ts noProcessEnv');
  });
});

/** Code with unhandled promises: a rejection crashes the server, and is lost in the browser. */
const dropped: Record<string, string> = {
  'an async listener': "emitter.on('a', async () => work());",
  'an async listener, once': "emitter.once('a', async () => work());",
  'a listener that returns a promise': "emitter.once('a', work);",
  'an async listener of a page': "target.addEventListener('a', async () => work());",
  'an async timer': 'setTimeout(async () => work(), 1);',
  'a timer with a function that returns a promise': 'setInterval(work, 1);',
  'an async setImmediate': 'setImmediate(async () => work());',
  'an async microtask': 'queueMicrotask(async () => work());',
  'a promise that nothing waits for': 'work();',
  'a promise behind void': 'void work();',
  'a promise behind void in an arrow': 'setTimeout(() => void work(), 1);',
  'a chain without catch': 'work().then(() => 1);',
  'a chain that ends with finally': 'work().finally(() => 1);',
  'an async callback of forEach': '[1].forEach(async () => work());',
  'an async callback of a stream':
    "createReadStream('a').on('data', async () => work()).on('error', () => 1);",
  'an async executor': 'export const a = new Promise<void>(async (resolve) => { resolve(); });',
  'an async function for one that returns nothing': 'takesVoid(async () => work());',
  'a promise as a condition': 'if (work()) { takesVoid(() => 1); }',
};
const handled: Record<string, string> = {
  'a chain with catch': 'work().catch(() => 1);',
  'a listener whose promise is handled': "emitter.on('a', () => { work().catch(() => 1); });",
  'a promise that is awaited': 'await work();',
};
const around = `import { EventEmitter } from 'node:events';
import { createReadStream } from 'node:fs';
export const emitter = new EventEmitter();
export const target = new EventTarget();
export const stream = createReadStream;
export const work = async () => {};
export const takesVoid = (run: () => void) => run();
`;

describe('the promise linter', () => {
  let found: string;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const name of ['.oxlintrc.json', '.gitignore']) {
      copyFileSync(join(root, name), join(folder, name));
    }
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: ['node'] };
    mkdirSync(join(folder, 'server/src'), { recursive: true });
    writeFileSync(join(folder, 'server/package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'server/tsconfig.json'), JSON.stringify({ compilerOptions }));
    Object.entries({ ...dropped, ...handled }).forEach(([name, text]) => {
      writeFileSync(join(folder, `server/src/${name.replaceAll(/\W/g, '-')}.ts`), around + text);
    });
    const program = join(root, 'node_modules/oxlint/bin/oxlint');
    const args = [program, '--type-aware', '--format=unix', 'server/src'];
    found = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
  }, 120_000);

  test.each(Object.keys(dropped))('rejects %s', (name) => {
    expect(found).toContain(`server/src/${name.replaceAll(/\W/g, '-')}.ts:`);
  });

  test.each(Object.keys(handled))('accepts %s', (name) => {
    expect(found).not.toContain(`server/src/${name.replaceAll(/\W/g, '-')}.ts:`);
  });
});

async function lint(files: Record<string, string>): Promise<string[]> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'server/lint'), { recursive: true });
  for (const name of ['biome.json', '.gitignore', 'server/lint/no-pipe.grit']) {
    copyFileSync(join(root, name), join(folder, name));
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--reporter=github',
      '--max-diagnostics=none',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  return stdout.split('\n').map((line) => {
    const [, rule, path] = /^::error title=(?:lint\/\w+\/)?(\w+),file=([^,]+)/.exec(line) ?? [];
    return `${relative(realpathSync(folder), path ?? '')} ${rule}`;
  });
}

test('keeps shared free of Node and browser APIs', async () => {
  const output = await compileIn(
    'shared',
    `import { readFile } from 'node:fs';\nexport const a = [readFile, process, document, fetch];\n`,
  );
  for (const name of ["'node:fs'", "'process'", "'document'", "'fetch'"]) {
    expect(output).toContain(name);
  }
});

test.each([
  ['shared', []],
  ['client', ['@knowhow/shared']],
  ['packages/skill-format', ['@knowhow/shared']],
  ['server', ['@knowhow/shared', '@knowhow/skill-format']],
])('lets %s import only %j of our packages', (name, expected) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies).filter((each) => each.startsWith('@knowhow/'))).toEqual(
    expected,
  );
});

test('lets the client import no files of the server', async () => {
  const path = join(root, 'server/src/platform/lib/resolve-inside.ts');
  expect(await compileIn('client', `import '${path}';\n`)).toContain('rootDir');
});

/** The compiler's output for a file under a package's settings. */
async function compileIn(project: string, text: string): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'planted.ts'), text);
  const config = {
    extends: join(root, project, 'tsconfig.json'),
    compilerOptions: {
      rootDir: folder,
      outDir: join(folder, 'out'),
      tsBuildInfoFile: null,
      types: [],
    },
    include: ['planted.ts'],
    references: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const program = join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [program, '-p', folder], { encoding: 'utf8' }).stdout;
}
