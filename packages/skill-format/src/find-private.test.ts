import { expect, test } from 'vitest';
import { findPrivateWords } from './find-private.ts';

const key =
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ==\n-----END PRIVATE KEY-----';

test.each([
  ['The password is hunter2!', [['secret', 'hunter2!']]],
  ['Passwort: geheim99', [['secret', 'geheim99']]],
  [`Sign with\n${key}\nnow`, [['secret', key]]],
  ['Write to eva.kurz@example.com.', [['email', 'eva.kurz@example.com']]],
  ['Call +49 (170) 123-4567 today', [['phone', '+49 (170) 123-4567']]],
  ['She lives at Gartenstraße 12', [['address', 'Gartenstraße 12']]],
  ['Use a password manager', []],
  ['Follow the Passwortrichtlinie', []],
  ['On 2024-01-15 10:30, 1,250,000 EUR', []],
])('in "%s"', (text, found) => {
  expect(findPrivateWords(text).map(({ kind, text: words }) => [kind, words])).toEqual(found);
});

test.each(['1 ', 'a@', 'password: ', '-----BEGIN PRIVATE KEY-----', 'Rue Xx ', '12 Aa '])(
  'a mebibyte of "%s" is read in one pass',
  (part) => {
    const before = process.cpuUsage();
    findPrivateWords(part.repeat((1024 * 1024) / part.length));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5000);
  },
);
