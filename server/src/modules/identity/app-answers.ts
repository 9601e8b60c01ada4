import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';

/** A user's answers to the questions of an app, by variable name. */
export type Answers = Readonly<Record<string, string>>;

/** Empty for guests and for users who have answered nothing. */
export async function getAppAnswers(
  database: Database,
  userId: string,
  appId: string,
): Promise<Answers> {
  const all = await allAnswers(database, userId);
  return all.get(appId) ?? {};
}

/**
 * Replaces a user's answers for an app.
 *
 * @param exists whether an app exists: answers for deleted apps are removed
 */
export async function setAppAnswers(
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

/** Deletes all users' answers for a deleted app: a new app with the same id must not get them. */
export async function deleteAppAnswers(database: Database, appId: string): Promise<void> {
  const users = await database
    .selectFrom('users')
    .select('id')
    .where('app_answers', 'like', `%"${appId}"%`)
    .execute();
  for (const { id } of users) {
    if ((await allAnswers(database, id)).has(appId)) {
      await setAppAnswers(database, id, { appId, answers: {}, exists: (app) => app !== appId });
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
