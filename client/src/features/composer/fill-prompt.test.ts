import { describe, expect, it } from 'vitest';
import { fillPrompt } from './fill-prompt.ts';

describe('fillPrompt', () => {
  it('fills every placeholder of a variable', () => {
    expect(fillPrompt('[a] and [a], [b].', { a: 'x', b: 'y' })).toBe('x and x, y.');
  });

  it('leaves unknown placeholders unchanged', () => {
    expect(fillPrompt('[x] [ ] [a](b) [constructor]', { b: 'y' })).toBe(
      '[x] [ ] [a](b) [constructor]',
    );
  });

  it('does not fill placeholders inside values', () => {
    expect(fillPrompt('[a]', { a: '[b]', b: 'secret $&' })).toBe('[b]');
    expect(fillPrompt('[b]', { b: '$& $1' })).toBe('$& $1');
  });

  it('leaves a placeholder empty for an empty value', () => {
    expect(fillPrompt('a[b]c', { b: '' })).toBe('ac');
  });
});
