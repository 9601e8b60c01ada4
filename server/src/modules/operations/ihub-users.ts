import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/lib/error-code.ts';
import { listSome } from '../../platform/lib/list-some.ts';
import { parseJson } from '../../platform/lib/parse-json.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { isPasswordHash, markForeignHash, passwordHashFault, userRow } from '../identity/index.ts';
import type { ReportIssue } from '../skills/index.ts';
import { dataPath } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { ihubUsersPath } from './recognise-backup.ts';

const groups = z.array(z.string());

/** `contents/config/users.json` of iHub: the fields that are used here. */
const ihubUserSchema = z.looseObject({
  id: z.string().min(1).optional(),
  username: z.string().min(1),
  name: z.string().optional(),
  email: z.string().nullish(),
  active: z.boolean().optional(),
  passwordHash: z.string().nullish(),
  internalGroups: groups.optional(),
  groups: groups.optional(),
  additionalGroups: groups.optional(),
  createdAt: z.string().optional(),
});
const ihubUsersSchema = z.looseObject({ users: z.record(z.string(), z.unknown()) });

/** Converts iHub's users into database rows. Users that cannot be imported are reported. */
export async function importIhubUsers(source: BackupSource, report: ReportIssue): Promise<void> {
  const path = join(source.directory, ihubUsersPath);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return;
  }
  await rm(path);
  const rows = toRows(text, source, report);
  const target = join(source.directory, dataPath('users'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600 });
  source.addsUsers = true;
}

function toRows(text: string, source: BackupSource, report: ReportIssue): Schema['users'][] {
  const users = ihubUsersSchema.safeParse(parseJson(text));
  if (!users.success) {
    const message = 'It is not a JSON object with "users".';
    source.notUsed.push({ path: ihubUsersPath, message });
    return [];
  }
  const rows = new Map<string, Schema['users']>();
  const withoutPassword: string[] = [];
  for (const [key, value] of Object.entries(users.data.users)) {
    const row = toRow(key, value, report);
    if (!row || rows.has(row.username)) {
      const message = row ? 'Another user has the same name.' : 'It is not a valid iHub user.';
      source.notUsed.push({ path: `${ihubUsersPath}#${key}`, message });
      continue;
    }
    rows.set(row.username, row);
    if (row.password_hash === null) {
      withoutPassword.push(row.username);
    }
  }
  if (withoutPassword.length > 0) {
    source.warnings.push(
      `These users have no password in the backup and cannot sign in before you set one: ${listSome(withoutPassword, maxListed)}.`,
    );
  }
  return [...rows.values()];
}

function toRow(key: string, value: unknown, report: ReportIssue): Schema['users'] | undefined {
  const { data: user } = ihubUserSchema.safeParse(value);
  if (!user) {
    return undefined;
  }
  const { id = key, username, name, active, passwordHash, createdAt = '' } = user;
  if (passwordHash && !isPasswordHash(passwordHash)) {
    report(`${ihubUsersPath}#${key}`, { code: 'password', message: passwordHashFault(username) });
  }
  const row = {
    id: randomUUID(),
    username: username.toLowerCase(),
    name: name || username,
    password_hash: passwordHash ? markForeignHash(id, passwordHash) : null,
    groups: JSON.stringify(user.internalGroups ?? user.groups ?? user.additionalGroups ?? []),
    disabled: active === false ? 1 : 0,
    created_at: z.iso.datetime().safeParse(createdAt).data ?? new Date().toISOString(),
  };
  return userRow.safeParse(row).data;
}

const maxListed = 20;
