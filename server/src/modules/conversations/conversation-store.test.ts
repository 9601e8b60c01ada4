import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../../platform/cluster/local-cluster.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { createRunningTurns } from '../chat/running-turns.ts';
import { createConversationStore } from './conversation-store.ts';

test('marks abandoned answers as interrupted at startup and leaves those that another process is writing', async () => {
  const database = await openTestDatabase(await temporaryFolder());
  onTestFinished(() => database.destroy());
  const at = '2026-01-01T00:00:00.000Z';
  const conversation = {
    owner: 'ann',
    app_id: 'chat',
    model: 'm',
    title: 'T',
    skills_off: null,
    ranked: null,
    ...{ pinned: 0, archived: 0 },
  };
  const message = { position: 0, role: 'assistant' as const, content: 'So', details: '{}' };
  for (const id of ['left', 'answered', 'done']) {
    await database
      .insertInto('conversations')
      .values({ id, ...conversation, created_at: at, updated_at: at })
      .execute();
    const status = id === 'done' ? 'complete' : 'running';
    await database
      .insertInto('messages')
      .values({ id, conversation_id: id, ...message, status, created_at: at })
      .execute();
  }
  const cluster = createLocalCluster();
  const other = createRunningTurns(cluster);
  await other.begin({ conversationId: 'answered', owner: 'ann', appId: 'chat' });

  const { find } = createRunningTurns(cluster);
  await createConversationStore(database).recover(async (id) => (await find(id)) !== undefined);
  const rows = await database
    .selectFrom('messages')
    .select(['id', 'status'])
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { id: 'answered', status: 'running' },
    { id: 'done', status: 'complete' },
    { id: 'left', status: 'interrupted' },
  ]);
});
