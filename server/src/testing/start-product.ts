import { join } from 'node:path';
import { type Child, runChild } from './run-child.ts';
import { adminPassword, createVisitor, type Visitor } from './start-test-server.ts';

export interface Product extends Child {
  url: string;
  /** A browser of its own. */
  visitor(): Visitor;
  /** One in which `admin` is signed in. */
  admin(): Promise<Visitor>;
}

/** Starts the bundled `main.ts` on a folder with `contents/` and `data/`; resolves when it is ready. */
export async function startProduct(
  script: string,
  folder: string,
  environment: Record<string, string> = {},
): Promise<Product> {
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

/**
 * The same without waiting for it.
 *
 * @param user to run as; only root can choose
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
