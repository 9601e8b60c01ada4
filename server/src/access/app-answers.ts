import { acquireTransactionLock } from '../storage/acquire-transaction-lock.ts';
import type { Database } from '../storage/open-database.ts';

/** What somebody has answered to the questions of an app, by the names of its variables. */
export type Answers = Readonly<Record<string, string>>;

/** A guest, and whoever has answered nothing, has none. */
export async function answersOf(
  database: Database,
  userId: string,
  appId: string,
): Promise<Answers> {
  const all = await allAnswers(database, userId);
  return all.get(appId) ?? {};
}

/**
 * Keeps them in place of those of before.
 *
 * @param exists whether there is an app: of one that has gone, answers go as well
 */
export async function setAnswers(
  database: Database,
  userId: string,
  { appId, answers, exists }: { appId: string; answers: Answers; exists: (app: string) => boolean },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await acquireTransactionLock(transaction, `answers ${userId}`);
    const all = await allAnswers(transaction, userId);
    all.set(appId, answers);
    const kept = [...all].filter(([app]) => exists(app));
    await transaction
      .updateTable('users')
      .set({ app_answers: JSON.stringify(Object.fromEntries(kept)) })
      .where('id', '=', userId)
      .execute();
  });
}

/** Deletes what all users have answered to an app that is deleted: a new app of its id must not get it. */
export async function forgetAnswers(database: Database, appId: string): Promise<void> {
  const users = await database
    .selectFrom('users')
    .select('id')
    .where('app_answers', 'like', `%"${appId}"%`)
    .execute();
  for (const { id } of users) {
    if ((await allAnswers(database, id)).has(appId)) {
      await setAnswers(database, id, { appId, answers: {}, exists: (app) => app !== appId });
    }
  }
}

async function allAnswers(database: Database, userId: string): Promise<Map<string, Answers>> {
  const row = await database
    .selectFrom('users')
    .select('app_answers')
    .where('id', '=', userId)
    .executeTakeFirst();
  return new Map(Object.entries(JSON.parse(row?.app_answers ?? '{}') as Record<string, Answers>));
}
