import { describe, expect, it } from 'vitest';
import { fillPrompt } from './fill-prompt.ts';

describe('fillPrompt', () => {
  it('fills every placeholder of a variable', () => {
    expect(fillPrompt('[a] and [a], [b].', { a: 'x', b: 'y' })).toBe('x and x, y.');
  });

  it('leaves brackets alone that name no variable', () => {
    expect(fillPrompt('[x] [ ] [a](b) [constructor]', { b: 'y' })).toBe(
      '[x] [ ] [a](b) [constructor]',
    );
  });

  it('never fills what a value brought in', () => {
    expect(fillPrompt('[a]', { a: '[b]', b: 'secret $&' })).toBe('[b]');
    expect(fillPrompt('[b]', { b: '$& $1' })).toBe('$& $1');
  });

  it('leaves a placeholder empty for an empty value', () => {
    expect(fillPrompt('a[b]c', { b: '' })).toBe('ac');
  });
});
