import { defaultPlatform } from '@knowhow/shared/config/platform';
import { defaultSkillsConfig } from '@knowhow/shared/skills/skills-config';
import { expect, test } from 'vitest';
import { limitConcurrency } from '../../platform/lib/limit-concurrency.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { allowVariables } from '../content/allowed-variables.ts';
import type { Contents } from '../content/contents.ts';
import { createAccounts } from './accounts.ts';
import { signedInCaller } from './caller.ts';
import { createPasswords } from './passwords.ts';
import { getSessionLimits } from './sessions.ts';
import { createUserAdmin } from './user-admin.ts';

const admins = { id: 'admins', name: 'Admins', permissions: { adminAccess: true } };
const contents: Contents = {
  platform: defaultPlatform,
  groups: new Map([['admins', admins]]),
  skills: defaultSkillsConfig,
  skillSources: [],
  tools: {},
  mcpServers: [],
  apps: new Map(),
  models: new Map(),
  prompts: new Map(),
  faults: [],
  unfilled: [],
  variables: allowVariables({})([]),
};

const by = signedInCaller({ id: 'another', name: 'Another', groups: ['admins'] }, contents);

test('keeps one admin when the last two demote each other at once', async () => {
  const database = await openTestDatabase(await temporaryFolder());
  const passwords = createPasswords(4);
  const users = createUserAdmin({
    database,
    accounts: createAccounts({
      database,
      passwords,
      sessionLimits: () => getSessionLimits(defaultPlatform),
    }),
    contents: () => contents,
    withLock: limitConcurrency(1),
  });
  const created = await Promise.all(
    ['ann', 'ben'].map((name) => users.create({ username: name, name, groups: ['admins'] }, by)),
  );
  const changes = await Promise.allSettled(
    created.map(({ user }) => users.update(user.id, { groups: [] }, by)),
  );
  expect(changes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((await users.list()).map(({ isAdmin }) => isAdmin)).toEqual([false, true]);
  await passwords.close();
  await database.destroy();
});
