import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript that runs before the compiler is installed.
import { coversLock } from '../bin/prepare.mjs';

const lock = (versions: Record<string, string>) =>
  JSON.stringify({
    packages: {
      '': { version: '0.1.0' },
      client: { version: '0.1.0' },
      'node_modules/@knowhow/client': { link: true },
      'node_modules/for-another-platform': { version: '1.0.0', optional: true },
      ...Object.fromEntries(Object.entries(versions).map(([path, version]) => [path, { version }])),
    },
  });
const installed = (versions: Record<string, string>) =>
  JSON.stringify({
    packages: {
      'node_modules/@knowhow/client': { link: true },
      ...Object.fromEntries(Object.entries(versions).map(([path, version]) => [path, { version }])),
    },
  });

const both = { 'node_modules/express': '5.3.0', 'client/node_modules/i18next': '25.10.10' };

test('what the lock file wants is there', () => {
  expect(coversLock(installed(both), lock(both))).toBe(true);
});

test.each(['node_modules/express', 'client/node_modules/i18next'])(
  'another version of %s, or none, is to be installed',
  (path) => {
    expect(coversLock(installed({ ...both, [path]: '1.0.0' }), lock(both))).toBe(false);
    const { [path as keyof typeof both]: _left, ...without } = both;
    expect(coversLock(installed(without), lock(both))).toBe(false);
  },
);
