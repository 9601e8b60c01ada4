import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { createLocalCluster } from '../cluster/local-cluster.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import { skillAt } from '../testing/skill-folder.ts';
import { temporaryFolder } from '../testing/write-files.ts';
import { checksumOf, readContent } from './skill-content.ts';
import { createSkillWriter } from './skill-writer.ts';

/** Skills that crash side by side, for most of the time is waiting for the disk. */
const lanes = 4;
const crashesOfLane = 25;
/** Longer than some writes take, so that every moment of one is hit. */
const maxDelayMs = 250;

let script: string;

/** Node does not run TypeScript: the writer is bundled once, for children to crash with. */
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
        input: ['./skill-writer.ts', '../cluster/local-cluster.ts'].map((path) =>
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
    const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => process.argv[2] });
    writeSync(1, 'ready\\n');
    process.stdin.once('data', async (from) => {
      for (let version = Number(from); ; version += 1) {
        await writer.install('crashing', filesOf(version));
        writeSync(1, version + '\\n');
      }
    });`,
  );
});

test('a skill is one whole version, and no older than was acknowledged, whenever the process is killed', async () => {
  const crashed = await Promise.all(Array.from({ length: lanes }, crashOverAndOver));
  expect(crashed.reduce((sum, { unfinished }) => sum + unfinished, 0)).toBeGreaterThan(10);
  expect(crashed.reduce((sum, { version }) => sum + version, 0)).toBeGreaterThan(0);
}, 240_000);

async function crashOverAndOver(): Promise<{ unfinished: number; version: number }> {
  const directory = await temporaryFolder();
  const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => directory });
  await writer.install('crashing', filesOf(0));
  let version = 0;
  let unfinished = 0;
  let next = startChild(directory);
  for (let crash = 0; crash < crashesOfLane; crash += 1) {
    const child = await next;
    next = startChild(directory);
    const acknowledged = await killAtRandom(child, version);
    unfinished += (await readdir(directory)).includes('.knowhow-staging') ? 1 : 0;
    await writer.recover();

    const files = await readContent(skillAt(join(directory, 'crashing')));
    version = Number(textOf(files, 'SKILL.md'));
    expect([acknowledged, acknowledged + 1]).toContain(version);
    expect(checksumOf(files)).toBe(checksumOf(filesOf(version)));
    expect(await readdir(directory)).toEqual(['crashing']);
  }
  (await next).process.kill('SIGKILL');
  return { unfinished, version };
}

/** Odd versions have other files than even ones. Runs in the child too: it uses nothing from outside. */
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
  /** What it has acknowledged, as it comes. */
  lines: string[];
}

/** Starts a child and waits until it could begin. */
async function startChild(directory: string): Promise<Child> {
  const child = spawn(process.execPath, [script, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  await once(reader, 'line');
  reader.on('line', (line) => lines.push(line));
  return { process: child, lines };
}

/** Lets the child replace the skill by newer versions until it is killed: the last acknowledged one. */
async function killAtRandom({ process: child, lines }: Child, version: number): Promise<number> {
  const ended = once(child, 'close');
  child.stdin?.write(`${version + 1}\n`);
  await new Promise((resolve) => {
    setTimeout(resolve, Math.random() * maxDelayMs);
  });
  child.kill('SIGKILL');
  await ended;
  return Number(lines.at(-1) ?? version);
}

function textOf(files: readonly PackedFile[], path: string): string {
  return Buffer.from(files.find((file) => file.path === path)?.bytes ?? []).toString();
}
