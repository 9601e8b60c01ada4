import { describe, expect, it } from 'vitest';
import { valueAt, withValue } from './with-value.ts';

describe('withValue', () => {
  it('changes one field, creates its parents, and keeps everything else', () => {
    const before = { thinking: { budget: 5, own: true }, list: [{ a: 1 }, 'two'] };
    expect(withValue(before, ['thinking', 'budget'], 6)).toEqual({
      ...before,
      thinking: { budget: 6, own: true },
    });
    expect(withValue(before, ['list', '0', 'a'], 2)).toEqual({
      ...before,
      list: [{ a: 2 }, 'two'],
    });
    expect(withValue(undefined, ['thinking', 'budget'], 6)).toEqual({ thinking: { budget: 6 } });
  });

  it('removes empty records, but no list entries', () => {
    expect(withValue({ budget: 5 }, ['budget'], undefined)).toBeUndefined();
    expect(withValue([{ title: 'x' }, 'y'], ['0', 'title'], undefined)).toEqual([{}, 'y']);
    expect(withValue(['x', 'y'], ['1'], undefined)).toEqual(['x', '']);
  });

  it('is read back with valueAt, which returns nothing for a missing path', () => {
    expect(valueAt({ list: [{ a: 1 }] }, ['list', '0', 'a'])).toBe(1);
    expect(valueAt({ list: 'text' }, ['list', '0', 'a'])).toBeUndefined();
  });
});
