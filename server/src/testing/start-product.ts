import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPlatform } from '@knowhow/shared/config/platform';
import { createAccounts } from '../modules/identity/accounts.ts';
import { getSessionLimits } from '../modules/identity/sessions.ts';
import { openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import { type Child, runChild } from './run-child.ts';
import { adminPassword, createVisitor, quickPasswords, type Visitor } from './start-test-server.ts';

export interface Product extends Child {
  url: string;
  /** A new visitor. */
  visitor(): Visitor;
  /** A visitor signed in as `admin`. */
  admin(): Promise<Visitor>;
}

/**
 * Starts the bundled `main.ts` on a folder with `contents/` and `data/`; resolves once ready. A
 * missing `data/` is created with a fast-hashed `admin` password.
 */
export async function startProduct(
  script: string,
  folder: string,
  environment: Record<string, string> = {},
): Promise<Product> {
  if (!existsSync(join(folder, 'data'))) {
    await makeData(join(folder, 'data'));
  }
  const child = runProduct(script, folder, environment);
  await child.says('\nModels: ');
  const url = /ready at (\S+)/.exec(child.output)?.[1] ?? '';
  const visitor = () => createVisitor(url);
  const admin = async () => {
    const browser = visitor();
    await browser('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
    return browser;
  };
  return Object.assign(child, { url, visitor, admin });
}

/** The data folder of a stopped installation. */
export async function makeData(folder: string): Promise<void> {
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  const sessionLimits = () => getSessionLimits(defaultPlatform);
  const accounts = createAccounts({ database, passwords: quickPasswords, sessionLimits });
  await accounts.ensureAdmin(adminPassword);
  await database.destroy();
}

/**
 * The same without waiting and without creating data.
 *
 * @param user to run as; requires root
 */
export function runProduct(
  script: string,
  folder: string,
  environment: Record<string, string> = {},
  user: { uid?: number } = {},
): Child {
  return runChild(script, {
    ...user,
    cwd: folder,
    env: {
      PORT: '0',
      CONTENTS_DIR: join(folder, 'contents'),
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: adminPassword,
      ...environment,
    },
  });
}
