import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { createAuditLog } from './audit-log.ts';

const by = { id: 'u1', name: 'Ann' };

async function newLog() {
  const database = await openTestDatabase(await temporaryFolder());
  onTestFinished(() => database.destroy());
  return createAuditLog(database);
}

const change = (target: string, kind: 'skill' | 'app' = 'skill') => ({
  by,
  action: 'toggled',
  kind,
  target,
});

test('records who changed what, when, and the state before and after', async () => {
  const log = await newLog();
  const states = { before: { enabled: true }, after: [1, null, 'x'] };
  await log.record({ ...change('pdf'), ...states });
  await log.record({ ...change('pdf'), action: 'created', after: null });
  expect(await log.list({ limit: 10 })).toEqual({
    items: [
      expect.objectContaining({ action: 'created', after: null }),
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        userId: 'u1',
        userName: 'Ann',
        action: 'toggled',
        kind: 'skill',
        target: 'pdf',
        ...states,
      },
    ],
    total: 2,
  });
  expect((await log.list({ limit: 1 })).items[0]).not.toHaveProperty('before');
});

test('continues a page where the last one ended while entries are added', async () => {
  const log = await newLog();
  const targets = Array.from({ length: 25 }, (_, at) => `skill-${at}`);
  await Promise.all(targets.map((target) => log.record(change(target))));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ limit: 10, cursor });
    seen.push(...page.items.map(({ target }) => target));
    cursor = page.nextCursor;
    await log.record(change('later'));
  } while (cursor !== undefined);
  expect(seen).toEqual(targets.reverse());
});

test('filters entries by kind and target', async () => {
  const log = await newLog();
  await log.record(change('pdf'));
  await log.record(change('chat', 'app'));
  await log.record(change('word'));
  const targets = async (query: { kind?: 'skill' | 'app'; target?: string }) => {
    const { items, total } = await log.list({ limit: 10, ...query });
    expect(total).toBe(items.length);
    return items.map(({ target }) => target);
  };
  expect(await targets({ kind: 'skill' })).toEqual(['word', 'pdf']);
  expect(await targets({ kind: 'skill', target: 'pdf' })).toEqual(['pdf']);
  expect(await targets({ kind: 'app', target: 'pdf' })).toEqual([]);
});

test.each(['', 'abc', "' or 1=1"])('rejects the cursor %j', async (cursor) => {
  const log = await newLog();
  await expect(log.list({ limit: 10, cursor })).rejects.toMatchObject({ code: 'invalid-request' });
});

test('keeps only the newest entries of a kind', async () => {
  const log = await newLog();
  await log.record(change('an app', 'app'));
  for (const target of ['a', 'b', 'c', 'd']) {
    await log.record(change(target));
  }
  await log.keepNewest('skill', 2);
  await log.keepNewest('app', 2);
  const { items } = await log.list({ limit: 10 });
  expect(items.map(({ target }) => target)).toEqual(['d', 'c', 'an app']);
});
