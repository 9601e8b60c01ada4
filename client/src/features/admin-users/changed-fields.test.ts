import { describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

describe('changedFields', () => {
  it('names changed fields, including nested ones', () => {
    const before = { name: { en: 'Chat', de: 'Chat' }, skills: ['a'], order: 1 };
    const after = { name: { en: 'Talk', de: 'Chat' }, skills: ['a', 'b'], order: 1 };
    expect(changedFields(before, after)).toEqual([
      { path: 'name.en', before: 'Chat', after: 'Talk' },
      { path: 'skills', before: ['a'], after: ['a', 'b'] },
    ]);
  });

  it('shows added and removed values', () => {
    expect(changedFields(undefined, { id: 'x' })).toEqual([
      { path: 'id', before: undefined, after: 'x' },
    ]);
    expect(changedFields({ id: 'x', url: '' }, { id: 'x' })).toEqual([
      { path: 'url', before: '', after: undefined },
    ]);
  });

  it('shows a text that became localized as a whole', () => {
    expect(changedFields({ name: 'Chat' }, { name: { en: 'Chat' } })).toEqual([
      { path: 'name', before: 'Chat', after: { en: 'Chat' } },
    ]);
  });
});
