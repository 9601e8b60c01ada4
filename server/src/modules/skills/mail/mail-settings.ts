import { isMailAddress, type MailSetting } from '@knowhow/shared/access/mail';
import type { Database } from '../../../platform/storage/open-database.ts';
import { type Account, findAccounts, parseDirectory } from '../../identity/index.ts';

/** Addresses and languages for e-mail, and whether people want it. */
export interface MailSettings {
  get(user: string): Promise<StoredMailSetting>;
  /** A user's own switch. */
  setOn(user: string, isOn: boolean): Promise<void>;
  /** An administrator's address for a user; null for the one from the identity provider. */
  setAddress(user: string, address: string | null): Promise<void>;
  /** Notes the language in which a user sees the pages. */
  noteLanguage(user: string, language: string): Promise<void>;
  /** Everyone who can be told something: enabled, with an address and the switch on. */
  listReachable(): Promise<Account[]>;
}

export interface StoredMailSetting extends MailSetting {
  /** A language tag. */
  language: string;
}

export function createMailSettings(database: Database): MailSettings {
  const read = () =>
    database
      .selectFrom('users')
      .leftJoin('mail_settings', 'mail_settings.user_id', 'users.id')
      .select(['users.id', 'users.directory', 'address', 'is_on', 'language']);
  const change = (user: string, values: Partial<Values>) =>
    database
      .insertInto('mail_settings')
      .values({ address: null, is_on: 1, language: null, ...values, user_id: user })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute();
  return {
    get: async (user) => toSetting(await read().where('users.id', '=', user).executeTakeFirst()),
    setOn: async (user, isOn) => {
      await change(user, { is_on: Number(isOn) });
    },
    setAddress: async (user, address) => {
      await change(user, { address });
    },
    noteLanguage: async (user, language) => {
      const known = await read().where('users.id', '=', user).executeTakeFirst();
      if (known && known.language !== language) {
        await change(user, { language });
      }
    },
    listReachable: async () => {
      const rows = await read().where('users.disabled', '=', 0).execute();
      const reachable = rows.filter((row) => {
        const { address, isOn } = toSetting(row);
        return address !== undefined && isOn;
      });
      return findAccountsOf(
        database,
        reachable.map(({ id }) => id),
      );
    },
  };
}

interface Values {
  address: string | null;
  is_on: number;
  language: string | null;
}

interface Row {
  directory: string | null;
  address: string | null;
  is_on: number | null;
  language: string | null;
}

function toSetting(row: Row | undefined): StoredMailSetting {
  const { address = null, is_on = null, language = null } = row ?? {};
  const provided = row && parseDirectory(row)?.email;
  const known = address ?? provided;
  return {
    // An identity provider may send something else as an address.
    ...(known !== undefined && isMailAddress(known) ? { address: known } : {}),
    isSetHere: address !== null,
    isOn: is_on !== 0,
    language: language ?? 'en',
  };
}

/** Databases bound the number of values in a query. */
const batchSize = 500;

async function findAccountsOf(database: Database, ids: readonly string[]): Promise<Account[]> {
  const found: Account[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    found.push(...(await findAccounts(database, ids.slice(at, at + batchSize))).values());
  }
  return found;
}
