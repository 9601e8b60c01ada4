import { describe, expect, it } from 'vitest';
import { onlyFor, partsOf } from './chosen-names.ts';

describe('the selection of a restore', () => {
  it('is everything if every part is selected, including parts of later versions', () => {
    expect(onlyFor(['apps', 'skills', 'data'], ['apps', 'skills', 'data'])).toBeUndefined();
  });

  it('is the selected parts', () => {
    expect(onlyFor(['apps', 'skills', 'data'], ['skills', 'apps'])).toBe('apps,skills');
  });

  it('never names a whole part if the backup contains single items of it', () => {
    const names = ['skills/pdf', 'skills/notes', 'apps'];
    expect(partsOf(names)).toEqual(['apps', 'skills']);
    expect(onlyFor(names, ['skills'])).toBe('skills/pdf,skills/notes');
  });
});
