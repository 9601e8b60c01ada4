import { expect, test } from 'vitest';
import { addressToOpen } from './address-to-open.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['fe80::1', 'http://[fe80::1]:3000'],
  ['knowhow.intranet', 'http://knowhow.intranet:3000'],
])('who listens on %s is opened at %s', (host, address) => {
  expect(addressToOpen(host, 3000)).toBe(address);
});
