import { defaultPlatform } from '@knowhow/shared/config/platform';
import { generate } from 'otplib';
import { expect, test } from 'vitest';
import { createLocalCluster } from '../../platform/cluster/local-cluster.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { quickPasswords } from '../../testing/start-test-server.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { createAccounts } from './accounts.ts';
import { createSecondFactors } from './second-factors.ts';
import { getSessionLimits } from './sessions.ts';

test('keeps ten recovery codes when two browsers renew them at once', async () => {
  const database = await openTestDatabase(await temporaryFolder());
  const accounts = createAccounts({
    ...{ database, passwords: quickPasswords },
    sessionLimits: () => getSessionLimits(defaultPlatform),
  });
  const person = { username: 'ann', name: 'Ann', password: 'seven calm herons', isMade: false };
  const id = await accounts.createUser({ ...person, groups: [] });
  const key = new Uint8Array(32);
  const factors = createSecondFactors({ database, cluster: createLocalCluster(), key });
  const { secret } = await factors.begin(id, 'ann');
  await factors.confirm(id, await generate({ secret }));
  const [one, other] = await Promise.all([
    factors.renewRecoveryCodes(id),
    factors.renewRecoveryCodes(id),
  ]);
  expect(await factors.state(id)).toEqual({ isOn: true, recoveryCodes: 10 });
  const isGood = async (code = '') => (await factors.check(id, code, '192.0.2.1')) === 'good';
  expect([await isGood(one[0]), await isGood(other[0])].filter(Boolean)).toHaveLength(1);
  await database.destroy();
});
