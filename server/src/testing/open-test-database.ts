import { type Database, openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import { createTestDatabase } from './test-database.ts';

/** Opens the database of a test's data folder, and creates it if missing. */
export async function openTestDatabase(dataDirectory: string): Promise<Database> {
  return openDatabase(await createTestDatabase(dataDirectory), tables.migrations);
}
