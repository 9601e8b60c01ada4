import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { openDatabase } from '../../../platform/storage/open-database.ts';
import { tables } from '../../../tables.ts';
import { execute } from '../../../testing/run-postgres.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { createSkillVersions } from './skill-versions.ts';

interface FormerRows {
  skill_revisions: Record<string, unknown>[];
  skill_states: Record<string, unknown>[];
}

/** Rows that the release before versions wrote through its API: 20 revisions of a skill, and others. */
async function readFormerRows(): Promise<FormerRows> {
  const url = new URL('../../../testing/databases/0069-skill-revisions.json.gz', import.meta.url);
  const rows = JSON.parse(gunzipSync(await readFile(url)).toString()) as FormerRows;
  const skill_states = rows.skill_states.map((state) => ({
    ...state,
    bytes: Buffer.from(String(state.bytes), 'base64'),
  }));
  return { ...rows, skill_states };
}

/** A database of the release before versions, upgraded. */
async function upgrade() {
  const place = await createTestDatabase(await temporaryFolder());
  if (place.databaseUrl !== undefined) {
    await execute(place.databaseUrl, 'drop schema public cascade; create schema public');
  }
  const earlier = Object.entries(tables.migrations).filter(([name]) => name < '0070');
  const former = await openDatabase(place, Object.fromEntries(earlier));
  const rows = await readFormerRows();
  const write = former as unknown as Kysely<Record<string, Record<string, unknown>>>;
  for (const [table, all] of Object.entries(rows)) {
    for (const row of all) {
      await write.insertInto(table).values(row).execute();
    }
  }
  await former.destroy();
  const database = await openDatabase(place, tables.migrations);
  onTestFinished(() => database.destroy());
  const cluster = createLocalCluster();
  return createSkillVersions({
    cluster,
    database,
    keep: () => 100,
    keepAlways: async () => new Set(),
    isThere: () => true,
  });
}

const text = (files: readonly { path: string; bytes: Uint8Array }[] | undefined) =>
  files?.map(({ path, bytes }) => [path, String(bytes).slice(0, 20)]);

test('the revisions of an earlier release become versions with the same numbers and files', async () => {
  const versions = await upgrade();

  const { items, total } = await versions.list('notes', { limit: 100 });
  expect(total).toBe(20);
  expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => 25 - at));
  expect(items.slice(0, 3)).toMatchObject([
    { action: 'restored', author: 'Ann', origin: { kind: 'restore', detail: '22' } },
    { action: 'found', origin: { kind: 'file-system' } },
    { action: 'file-written', author: 'Ann', summary: 'SKILL.md', origin: { kind: 'page' } },
  ]);
  for (const { number, checksum, digest, files } of items) {
    const stored = (await versions.files('notes', number)) ?? [];
    expect([number, stored.length]).toEqual([number, files]);
    expect(await getFilesChecksum(stored)).toBe(checksum);
    expect(digest).toMatch(/^[\da-f]{64}$/);
  }
  expect(text(await versions.files('notes', 7))).toEqual([
    ['SKILL.md', 'State 7'],
    ['scripts/run.sh', '#!'],
  ]);
});

test('a skill that was deleted before the upgrade can be restored, with its assignments', async () => {
  const versions = await upgrade();

  const { items } = await versions.list('gone', { limit: 10 });
  expect(items).toMatchObject([
    { number: 2, action: 'deleted' },
    { number: 1, action: 'imported', origin: { kind: 'import' }, files: 3, bytes: 2_100_004 },
  ]);
  expect(await versions.assignments('gone')).toEqual({ groups: ['staff'] });
  expect(text(await versions.files('gone', 1))).toEqual([
    ['SKILL.md', 'Gone'],
    ['empty', ''],
    ['z.bin', 'x'.repeat(20)],
  ]);
  expect((await versions.list('lost', { limit: 10 })).items).toMatchObject([
    { number: 1, files: 1 },
  ]);
  expect(await versions.files('lost', 1)).toBeUndefined();
});
