import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { exportBackup, importBackup, manifestZip } from '../../../testing/backup-calls.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  server = await startTestServer();
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

/** Reads these paths repeatedly, several concurrently, until the changes are made. */
async function readMeanwhile(
  paths: () => readonly string[],
  changes: () => Promise<unknown>,
): Promise<Map<string, Set<number>>> {
  const seen = new Map<string, Set<number>>();
  let isOver = false;
  const read = async (index: number) => {
    while (!isOver) {
      const all = paths();
      const path = all[index % all.length] ?? '';
      // A connection cut off in the middle is not counted here.
      const since = performance.now();
      const status = await admin(path).then(
        async (response) => {
          await response.arrayBuffer().catch(() => undefined);
          return response.status;
        },
        () => 0,
      );
      const kind = path.replace(/[0-9a-f-]{20,}/g, ':id');
      seen.set(kind, (seen.get(kind) ?? new Set()).add(status));
      // As long as it took: otherwise hundreds of reads per change would slow the changes down.
      await wait(performance.now() - since);
    }
  };
  const readers = paths().map((_, index) => read(index));
  try {
    await changes();
  } finally {
    isOver = true;
  }
  await Promise.all(readers);
  return seen;
}

function expectNoFailure(seen: ReadonlyMap<string, ReadonlySet<number>>): void {
  for (const [path, statuses] of seen) {
    const bad = [...statuses].filter((status) => status >= 500);
    expect(bad, path).toEqual([]);
  }
}

const skillPaths = [
  '/api/skills/made',
  '/api/skills/made/content',
  '/api/skills/made/files/references/a.md',
  '/api/admin/skills/made',
  '/api/admin/skills/made/files/references/a.md',
  '/api/admin/skills/made/access',
  '/api/admin/skills/made/export',
  '/api/skill-versions/made',
  '/api/skill-versions/made/1/diff',
  '/api/admin/skills/export?names=made',
  '/api/admin/skills',
  '/api/skills',
  '/api/admin/backup/export',
];

test('a skill that is created and deleted repeatedly is either there or not', {
  timeout: 120_000,
}, async () => {
  const json = { name: 'made', description: 'Is made and goes.', body: 'Do it.' };
  const seen = await readMeanwhile(
    () => skillPaths,
    async () => {
      for (let round = 0; round < 12; round += 1) {
        expect((await admin('/api/admin/skills', { json })).status).toBe(201);
        const file = '/api/admin/skills/made/files/references/a.md';
        expect((await admin(file, { method: 'PUT', body: 'A' })).status).toBeLessThan(300);
        const removed = await admin('/api/admin/skills/made', { method: 'DELETE' });
        expect(removed.status).toBeLessThan(300);
      }
    },
  );
  expectNoFailure(seen);
});

test('a skill whose folder disappears is either there or not', { timeout: 120_000 }, async () => {
  const folder = join(server.folder, 'contents/skills/made');
  const seen = await readMeanwhile(
    () => skillPaths,
    async () => {
      for (let round = 0; round < 20; round += 1) {
        await mkdir(join(folder, 'references'), { recursive: true });
        await writeFile(join(folder, 'SKILL.md'), skillFile('made', 'Is made and goes.'));
        await writeFile(join(folder, 'references/a.md'), 'A');
        await admin('/api/admin/skills/made');
        await server.app.ready;
        await rename(folder, `${folder}-old`).catch(() => undefined);
        await rm(`${folder}-old`, { recursive: true, force: true });
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  );
  expectNoFailure(seen);
});

test("a skill's file that is sometimes a folder is either there or not", {
  timeout: 120_000,
}, async () => {
  const folder = join(server.folder, 'contents/skills/made');
  const path = join(folder, 'changing');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), skillFile('made', 'Is made and changes.'));
  // Time passes between listing the folder and reading its last file.
  const large = Buffer.alloc(900_000, 'x');
  await Promise.all(Array.from({ length: 20 }, (_, at) => writeFile(join(folder, `${at}`), large)));
  const seen = await readMeanwhile(
    () => ['/api/admin/skills/made', '/api/admin/skills/made/files/changing'],
    async () => {
      for (let round = 0; round < 600; round += 1) {
        await rm(path, { recursive: true, force: true });
        await (round % 2 === 0 ? writeFile(path, 'A') : mkdir(path));
        await yieldToEventLoop();
      }
    },
  );
  expectNoFailure(seen);
});

test('a conversation, a user and a configuration file are either there or not', {
  timeout: 120_000,
}, async () => {
  let conversation = randomUUID();
  const paths = () => [
    `/api/conversations/${conversation}`,
    '/api/conversations',
    '/api/conversations?query=hel',
    '/api/admin/prompts/made',
    '/api/admin/prompts',
    '/api/prompts',
    '/api/admin/apps/made',
    '/api/apps/made',
    '/api/admin/users',
  ];
  const seen = await readMeanwhile(paths, async () => {
    for (let round = 0; round < 12; round += 1) {
      conversation = randomUUID();
      await takeTurn(admin, { message: 'Hello', conversationId: conversation });
      const prompt = { id: 'made', name: 'Made', prompt: 'Write.' };
      const app = { id: 'made', name: 'Made', system: 'Help.' };
      await admin('/api/admin/prompts/made', { method: 'PUT', json: prompt });
      await admin('/api/admin/apps/made', { method: 'PUT', json: app });
      const statuses = [
        await admin(`/api/conversations/${conversation}`, { method: 'DELETE' }),
        await admin('/api/admin/prompts/made', { method: 'DELETE' }),
        await admin('/api/admin/apps/made', { method: 'DELETE' }),
      ].map(({ status }) => status);
      expect(statuses).toEqual([204, 204, 204]);
    }
  });
  expectNoFailure(seen);
});

test('snapshots, users and conversations are either there or not during restores', {
  timeout: 120_000,
}, async () => {
  const zip = manifestZip({
    'contents/apps/chat.json': { id: 'chat', name: 'Chat', system: 'Help.' },
  });
  await takeTurn(admin, { message: 'Hello' });
  const everything = await exportBackup(admin, '?data=true');
  const paths = () => [
    '/api/admin/backup/snapshots',
    '/api/admin/backup',
    '/api/admin/users',
    '/api/conversations?query=hel',
  ];
  const seen = await readMeanwhile(paths, async () => {
    for (let round = 0; round < 10; round += 1) {
      await importBackup(admin, round % 2 ? zip : everything);
      const list = await admin('/api/admin/backup/snapshots');
      const { items } = (await list.json()) as { items: { id: string }[] };
      for (const { id } of items) {
        const path = `/api/admin/backup/snapshots/${id}`;
        const [one, other] = await Promise.all([
          admin(path, { method: 'DELETE' }),
          admin(path, { method: 'DELETE' }),
        ]);
        expect([204, 404, 409]).toContain(one.status);
        expect([204, 404, 409]).toContain(other.status);
      }
    }
  });
  expectNoFailure(seen);
});

test('a file that disappears before it is read is not found, and is logged', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const other = await startTestServer({ log });
  onTestFinished(() => other.close());
  const visitor = await signInAdmin(other);
  const folder = join(other.folder, 'contents/skills/meeting-notes');
  await waitFor(async () => {
    // It is still listed for a moment.
    await rename(folder, `${folder}.gone`);
    const { status } = await visitor('/api/skills/meeting-notes/content');
    await rename(`${folder}.gone`, folder);
    expect(status).toBeLessThan(500);
    return lines.some((line) => line.includes('a file disappeared before it was read'));
  });
});
