import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

const secret = randomBytes(32);

test('opens only for the same owner, secret and purpose', () => {
  const { seal, open } = createSeal(secret, 'tokens');
  const sealed = seal('Geheimnis ✓', 'ann');
  expect(sealed).not.toContain('Geheimnis');
  expect(seal('Geheimnis ✓', 'ann')).not.toBe(sealed);
  expect(open(sealed, 'ann')).toBe('Geheimnis ✓');
  expect(open(sealed, 'ben')).toBeUndefined();
  expect(createSeal(secret, 'clients').open(sealed, 'ann')).toBeUndefined();
  expect(createSeal(randomBytes(32), 'tokens').open(sealed, 'ann')).toBeUndefined();
});

test('does not open modified or truncated text', () => {
  const { seal, open } = createSeal(secret, 'tokens');
  const sealed = seal('text', 'ann');
  const last = sealed.at(-1) === 'A' ? 'B' : 'A';
  for (const wrong of [
    '',
    'v1',
    'v1.',
    'v2.abc',
    'text',
    sealed.slice(0, -4),
    `${sealed.slice(0, -2)}${last}A`,
  ]) {
    expect(open(wrong, 'ann')).toBeUndefined();
  }
});
