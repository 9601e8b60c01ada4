import { describe, expect, it } from 'vitest';
import { changedLines } from './changed-lines.ts';

const lines = (...all: (string | number)[]) => all.join('\n');

describe('changed lines', () => {
  it('are those between the first and the last difference, with context', () => {
    const one = lines(1, 2, 3, 4, 5, 'theirs', 7, 8, 9, 10);
    const other = lines(1, 2, 3, 4, 5, 'mine', 'and more', 7, 8, 9, 10);
    expect(changedLines(one, other)).toEqual({
      firstLine: 3,
      before: ['3', '4', '5'],
      one: ['theirs'],
      other: ['mine', 'and more'],
      after: ['7', '8', '9'],
    });
  });

  it('count a repeated line once', () => {
    expect(changedLines(lines('a', 'a'), lines('a', 'a', 'a'))).toMatchObject({
      before: ['a', 'a'],
      one: [],
      other: ['a'],
      after: [],
    });
  });

  it('are the whole text without a counterpart', () => {
    expect(changedLines('', lines('a', 'b'))).toMatchObject({ one: [''], other: ['a', 'b'] });
  });
});
