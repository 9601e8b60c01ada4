import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { findTexts } from '../../../platform/lib/locales.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { type Mailer, MailRefused, toLine } from '../../../platform/lib/open-smtp.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import { type Caller, findAccounts, signedInCaller } from '../../identity/index.ts';
import type { MailSettings } from './mail-settings.ts';
import { readSubject, type SubjectDependencies } from './notice-subjects.ts';
import { type Line, writeNotices } from './write-message.ts';

interface Dependencies extends SubjectDependencies {
  database: Database;
  log: Log;
  mailer: Mailer;
  mailSettings: MailSettings;
  /** For how long notices of a person are collected. */
  minutes: number;
  publicUrl: string | undefined;
}

/** Notices that could not be sent for so long are dropped, so that the table stays small. */
const maxAgeHours = 72;
/** Recipients of one round, and notices of one message. */
const maxRecipients = 500;
const maxNotices = 200;
/** Number of people whose permissions are computed without a pause. */
const peoplePerSlice = 50;
const rowsPerInsert = 500;
const maxBackOffMinutes = 60;
const maxMessageLength = 300;

/**
 * Sends what is due, one message for each person. A notice is deleted after its message was accepted: a kill between
 * both sends it twice, never not at all. Stops when the mail server cannot be reached.
 */
export async function sendDueMail(dependencies: Dependencies, lost: AbortSignal): Promise<void> {
  await distribute(dependencies, lost);
  await dropOld(dependencies);
  for (const user of await findDue(dependencies)) {
    if (lost.aborted || !(await trySendTo(dependencies, user, lost))) {
      return;
    }
  }
}

/** Replaces each new notice by one for each person whom it concerns. */
async function distribute(dependencies: Dependencies, lost: AbortSignal): Promise<void> {
  const { database, mailSettings, contents } = dependencies;
  const fresh = await notices(database)
    .where('user_id', 'is', null)
    .orderBy('created_at')
    .limit(maxNotices)
    .execute();
  if (fresh.length === 0) {
    return;
  }
  const people: Caller[] = [];
  for (const person of await mailSettings.listReachable()) {
    people.push(signedInCaller(person, contents()));
    if (people.length % peoplePerSlice === 0) {
      await setImmediate();
    }
  }
  for (const { id, ...notice } of fresh) {
    if (lost.aborted) {
      return;
    }
    const subject = await readSubject(dependencies, notice);
    const recipients: string[] = [];
    for (const person of people) {
      if (person.id !== notice.by_id && subject?.concerns(person)) {
        recipients.push(person.id);
      }
    }
    await database.transaction().execute(async (write) => {
      const { numDeletedRows } = await write
        .deleteFrom('mail_notices')
        .where('id', '=', id)
        .executeTakeFirst();
      if (numDeletedRows === 1n) {
        const rows = recipients.map((user_id) => ({ ...notice, user_id, id: randomUUID() }));
        for (let at = 0; at < rows.length; at += rowsPerInsert) {
          await write
            .insertInto('mail_notices')
            .values(rows.slice(at, at + rowsPerInsert))
            .execute();
        }
      }
    });
  }
}

async function dropOld({ database, log }: Dependencies): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('mail_notices')
    .where('created_at', '<', minutesAgo(maxAgeHours * 60))
    .executeTakeFirst();
  if (numDeletedRows > 0n) {
    log.warn({ notices: Number(numDeletedRows) }, 'e-mail was dropped: it could not be sent');
  }
  await database
    .deleteFrom('mail_failures')
    .where(
      'user_id',
      'not in',
      database
        .selectFrom('mail_notices')
        .select('user_id')
        .where('user_id', 'is not', null)
        .$castTo<{ user_id: string }>(),
    )
    .execute();
}

/** People whose oldest notice has waited long enough, and who are not waiting for another attempt. */
async function findDue({ database, minutes }: Dependencies): Promise<string[]> {
  const rows = await database
    .selectFrom('mail_notices as notice')
    .leftJoin('mail_failures as failure', 'failure.user_id', 'notice.user_id')
    .select('notice.user_id')
    .where('notice.user_id', 'is not', null)
    .where('notice.created_at', '<=', minutesAgo(minutes))
    .where(({ eb, or }) =>
      or([
        eb('failure.next_at', 'is', null),
        eb('failure.next_at', '<=', new Date().toISOString()),
      ]),
    )
    .groupBy('notice.user_id')
    .orderBy(({ fn }) => fn.min('notice.created_at'))
    .limit(maxRecipients)
    .execute();
  return rows.flatMap(({ user_id }) => user_id ?? []);
}

/** One person's notices that cannot be read, such as of a damaged review, do not hold up the others. */
async function trySendTo(
  dependencies: Dependencies,
  user: string,
  lost: AbortSignal,
): Promise<boolean> {
  try {
    return await sendTo(dependencies, user, lost);
  } catch (error) {
    dependencies.log.error({ error, user }, 'e-mail could not be written');
    return true;
  }
}

/** Returns false if the mail server cannot be used now. */
async function sendTo(
  dependencies: Dependencies,
  user: string,
  lost: AbortSignal,
): Promise<boolean> {
  const { database, mailer, mailSettings, publicUrl, log } = dependencies;
  const found = await notices(database)
    .where('user_id', '=', user)
    .orderBy('created_at')
    .limit(maxNotices)
    .execute();
  if (found.length === 0) {
    return true;
  }
  const account = (await findAccounts(database, [user])).get(user);
  const { address, isOn, language } = await mailSettings.get(user);
  const lines =
    account && address !== undefined && isOn
      ? await readLines(dependencies, { account, language, found })
      : [];
  try {
    if (account && address !== undefined && lines.length > 0) {
      const to = { name: account.name, address, language };
      await mailer.send(writeNotices(to, lines, publicUrl), lost);
    }
  } catch (error) {
    if (lost.aborted) {
      return false;
    }
    log.warn({ error }, 'e-mail could not be sent');
    await noteFailure(database, user, getErrorMessage(error));
    return error instanceof MailRefused;
  }
  await database.transaction().execute(async (write) => {
    const ids = found.map(({ id }) => id);
    await write.deleteFrom('mail_notices').where('id', 'in', ids).execute();
    await write.deleteFrom('mail_failures').where('user_id', '=', user).execute();
  });
  return true;
}

async function readLines(
  dependencies: Dependencies,
  {
    account,
    language,
    found,
  }: {
    account: Parameters<typeof signedInCaller>[0];
    language: string;
    found: readonly Schema['mail_notices'][];
  },
): Promise<Line[]> {
  const { mail } = findTexts(language);
  const lines: Line[] = [];
  for (const notice of found) {
    const subject = await readSubject(dependencies, notice);
    const caller = signedInCaller(account, dependencies.contents());
    if (subject && (await subject.isVisibleTo(caller))) {
      const text = toLine(subject.describe(mail, language));
      lines.push({ text, path: subject.pathFor(caller) });
    }
  }
  return lines;
}

/** Doubles the pause before the next attempt: from one minute to an hour. */
async function noteFailure(database: Database, user: string, message: string): Promise<void> {
  const known = await database
    .selectFrom('mail_failures')
    .select('failures')
    .where('user_id', '=', user)
    .executeTakeFirst();
  const failures = (known?.failures ?? 0) + 1;
  const pause = Math.min(2 ** (failures - 1), maxBackOffMinutes);
  const values = {
    failures,
    message: message.slice(0, maxMessageLength),
    failed_at: new Date().toISOString(),
    next_at: minutesAgo(-pause),
  };
  await database
    .insertInto('mail_failures')
    .values({ user_id: user, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

function notices(database: Database) {
  return database.selectFrom('mail_notices').selectAll();
}

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
