import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { PackedFile } from '@knowhow/skill-format';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { toSkillLocation } from '../../../testing/skill-folder.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { readContent } from './skill-content.ts';
import { createSkillWriter } from './skill-writer.ts';

/** Number of skills that a process writes in parallel. */
const lanes = 4;
const crashes = 25;
/** Longer than some writes take, so that a crash can hit every phase. */
const maxDelayMs = 250;

let script: string;

/** Node does not run TypeScript: the writer is bundled once for child processes. */
beforeAll(async () => {
  const folder = await temporaryFolder();
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      rolldownOptions: {
        input: ['./skill-writer.ts', '../../../platform/cluster/local-cluster.ts'].map((path) =>
          fileURLToPath(new URL(path, import.meta.url)),
        ),
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  script = join(folder, 'replace-forever.mjs');
  await writeFile(
    script,
    `import { writeSync } from 'node:fs';
    import { createLocalCluster } from './local-cluster.mjs';
    import { createSkillWriter } from './skill-writer.mjs';
    const filesOf = ${filesOf};
    async function replaceForever(directory, lane, from) {
      const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => directory });
      for (let version = from; ; version += 1) {
        await writer.install('crashing', filesOf(version));
        writeSync(1, lane + ' ' + version + '\\n');
      }
    }
    writeSync(1, 'ready\\n');
    process.stdin.once('data', (from) => {
      const versions = String(from).split(' ').map(Number);
      process.argv.slice(2).forEach((directory, lane) => replaceForever(directory, lane, versions[lane]));
    });`,
  );
});

test('keeps one complete version, not older than acknowledged, whenever the process is killed', async () => {
  const all = await Promise.all(Array.from({ length: lanes }, openLane));
  let unfinished = 0;
  let next = startChild(all);
  for (let crash = 0; crash < crashes; crash += 1) {
    const child = await next;
    next = startChild(all);
    await killAtRandom(child, all);
    for (const [at, lane] of all.entries()) {
      unfinished += await checkAfterCrash(lane, acknowledgedOf(child, at) ?? lane.version);
    }
  }
  (await next).process.kill('SIGKILL');
  expect(unfinished).toBeGreaterThan(10);
  expect(all.reduce((sum, { version }) => sum + version, 0)).toBeGreaterThan(0);
}, 240_000);

interface Lane {
  directory: string;
  writer: ReturnType<typeof createSkillWriter>;
  /** Version after the last crash. */
  version: number;
}

async function openLane(): Promise<Lane> {
  const directory = await temporaryFolder();
  const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => directory });
  await writer.install('crashing', filesOf(0));
  return { directory, writer, version: 0 };
}

/** Returns 1 if a write was interrupted, otherwise 0. */
async function checkAfterCrash(lane: Lane, acknowledged: number): Promise<number> {
  const { directory, writer } = lane;
  const unfinished = (await readdir(directory)).includes('.knowhow-staging') ? 1 : 0;
  await writer.recover();
  const files = await readContent(toSkillLocation(join(directory, 'crashing')));
  lane.version = Number(textOf(files, 'SKILL.md'));
  expect([acknowledged, acknowledged + 1]).toContain(lane.version);
  expect(await getFilesChecksum(files)).toBe(await getFilesChecksum(filesOf(lane.version)));
  expect(await readdir(directory)).toEqual(['crashing']);
  return unfinished;
}

/**
 * Odd versions have other files than even ones. Also runs in the child, so it must not use outer
 * variables.
 */
function filesOf(version: number): PackedFile[] {
  const file = (path: string) => ({
    path,
    bytes: Buffer.from(path === 'SKILL.md' ? `${version}` : `${version} ${path}\n`.repeat(50)),
    executable: path.endsWith('.sh'),
  });
  const shared = Array.from({ length: 19 }, (_, at) => file(`references/deep/${at % 4}/${at}.md`));
  const own = Array.from({ length: 10 }, (_, at) => file(`own/${version % 2}-${at}.sh`));
  return [file('SKILL.md'), ...shared, ...own];
}

interface Child {
  process: ChildProcess;
  reader: Interface;
  /** Acknowledged versions, in order. */
  lines: string[];
}

/** Starts a child and waits until it is ready. */
async function startChild(all: readonly Lane[]): Promise<Child> {
  const child = spawn(process.execPath, [script, ...all.map(({ directory }) => directory)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  await once(reader, 'line');
  reader.on('line', (line) => lines.push(line));
  return { process: child, reader, lines };
}

/**
 * Lets the child write newer versions of each skill and kills it at a random time after the first
 * write of any lane. Otherwise a slow machine would kill it before any write.
 */
async function killAtRandom({ process: child, reader }: Child, all: readonly Lane[]) {
  const ended = once(child, 'close');
  const written = once(reader, 'line');
  child.stdin?.write(`${all.map(({ version }) => version + 1).join(' ')}\n`);
  await written;
  await new Promise((resolve) => {
    setTimeout(resolve, Math.random() * maxDelayMs);
  });
  child.kill('SIGKILL');
  await ended;
}

/** The last version of a lane that a child has acknowledged, if any. */
function acknowledgedOf({ lines }: Child, lane: number): number | undefined {
  const last = lines.findLast((line) => line.startsWith(`${lane} `));
  return last === undefined ? undefined : Number(last.split(' ')[1]);
}

function textOf(files: readonly PackedFile[], path: string): string {
  return Buffer.from(files.find((file) => file.path === path)?.bytes ?? []).toString();
}
