import { expect, test } from 'vitest';
import { getOpenUrl } from './get-open-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000', false],
  ['0.0.0.0', 'http://127.0.0.1:3000', true],
  ['::', 'http://[::1]:3000', true],
  ['fe80::1', 'http://[fe80::1]:3000', false],
  ['knowhow.intranet', 'http://knowhow.intranet:3000', false],
])('a server that listens on %s opens at %s', (host, url, isEverywhere) => {
  expect(getOpenUrl({ host, port: 3000 }, undefined)).toEqual({ url, isEverywhere });
});

test.each([
  ['8080', 'http://127.0.0.1:8080', true],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080', true],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080', false],
  ['[fe80::1]:8080', 'http://[fe80::1]:8080', false],
  ['8080-8090', 'http://127.0.0.1:3000', true],
])('a container published at %s opens at %s', (publish, url, isEverywhere) => {
  const container = { host: '0.0.0.0', port: 3000 };
  expect(getOpenUrl(container, publish)).toEqual({ url, isEverywhere });
});

test('ignores the published port without a container', () => {
  const { url } = getOpenUrl({ host: '127.0.0.1', port: 3000 }, '8080');
  expect(url).toBe('http://127.0.0.1:3000');
});
