import type { Database } from '../../platform/storage/open-database.ts';

/** Minimum interval between two updates, so that requests are mostly reads. */
const minIntervalMs = 60_000;

/** Records that a session or key is used now, to the minute. Best effort: a full disk must not block reads. */
export async function recordUse(
  database: Database,
  table: 'sessions' | 'api_keys' | 'service_keys',
  { id, lastUsedAt }: { id: string; lastUsedAt: string | null },
): Promise<void> {
  const now = Date.now();
  if (lastUsedAt !== null && Math.abs(now - Date.parse(lastUsedAt)) <= minIntervalMs) {
    return;
  }
  await database
    .updateTable(table)
    .set({ last_used_at: new Date(now).toISOString() })
    .where('id', '=', id)
    .execute()
    .catch(() => undefined);
}
