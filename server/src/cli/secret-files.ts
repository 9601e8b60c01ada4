import { basename } from 'node:path';

/** Files of variables, as tools read them; not their examples. */
export function isSecretFile(path: string): boolean {
  const name = basename(path).toLowerCase();
  return /^\.env(\.|$)/.test(name) && !/\.(example|sample|template|dist)$/.test(name);
}
