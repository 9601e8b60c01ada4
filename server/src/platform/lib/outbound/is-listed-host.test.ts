import { expect, test } from 'vitest';
import { isListedHost } from './is-listed-host.ts';

test.each([
  ['https://api.example.org/a', 'api.example.org'],
  ['http://api.example.org/a', 'api.example.org'],
  ['https://API.example.org.:443/', 'Api.Example.org'],
  ['https://api.example.org:8443/', 'api.example.org:8443'],
  ['http://a.b.example.org/', '*.example.org'],
  ['https://a.example.org:8443/', '*.example.org:8443'],
  ['http://[::1]:8080/', '[::1]:8080'],
  ['http://[::1]/', '[::1]'],
  ['http://api.example.org:443/', 'api.example.org:443'],
])('%s matches %s', (url, entry) => {
  expect(isListedHost(new URL(url), entry)).toBe(true);
});

test.each([
  ['https://api.example.org:8443/', 'api.example.org'],
  ['http://api.example.org:443/', 'api.example.org'],
  ['https://api.example.org:80/', 'api.example.org'],
  ['https://api.example.org/', 'api.example.org:8443'],
  ['https://api.example.org/', 'api.example.org:80'],
  ['https://example.org/', '*.example.org'],
  ['https://evilexample.org/', '*.example.org'],
  ['https://a.example.org:8443/', '*.example.org'],
  ['https://api.example.org.evil.net/', 'api.example.org'],
  ['https://evil.net/api.example.org', 'api.example.org'],
  ['https://api.example.org@evil.net/', 'api.example.org'],
  ['http://[::1]:8080/', '[::1]'],
  ['http://127.0.0.1/', 'localhost'],
  ['https://api.example.org/', ''],
  ['https://api.example.org/', '*'],
])('%s does not match %s', (url, entry) => {
  expect(isListedHost(new URL(url), entry)).toBe(false);
});
