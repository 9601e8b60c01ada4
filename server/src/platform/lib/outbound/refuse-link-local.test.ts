import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LinkLocalAddress, lookupExceptLinkLocal, refuseLinkLocal } from './refuse-link-local.ts';

describe('a link-local address', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://2852039166/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
  ])('is rejected as %s', (url) => {
    expect(() => refuseLinkLocal(new URL(url))).toThrow(LinkLocalAddress);
  });

  it.each(['http://127.0.0.1/', 'http://10.0.0.7/', 'http://[fd00::1]/', 'http://gpu.intranet/'])(
    'does not include %s',
    (url) => expect(() => refuseLinkLocal(new URL(url))).not.toThrow(),
  );

  const finds =
    (...addresses: string[]): LookupFunction =>
    (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
  const found = (find: LookupFunction) =>
    new Promise((resolve) =>
      lookupExceptLinkLocal(find)('metadata.example', { all: true }, (error, all) =>
        resolve(error ?? all),
      ),
    );

  it('is rejected among several addresses of a name', async () => {
    expect(await found(finds('10.0.0.7', '169.254.169.254'))).toBeInstanceOf(LinkLocalAddress);
    expect(await found(finds('10.0.0.7'))).toEqual([{ address: '10.0.0.7', family: 4 }]);
  });

  it('is rejected as the only address of a name', async () => {
    const one: LookupFunction = (_name, _options, callback) => callback(null, 'fe80::1', 6);
    expect(await found(one)).toBeInstanceOf(LinkLocalAddress);
  });
});
