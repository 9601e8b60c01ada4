import { describe, expect, it } from 'vitest';
import { namesForParts, partsOfNames } from './chosen-names.ts';

describe('the selection of a restore', () => {
  it('is everything if every part is selected, including parts of later versions', () => {
    expect(namesForParts(['apps', 'skills', 'data'], ['apps', 'skills', 'data'])).toBeUndefined();
  });

  it('is the selected parts', () => {
    expect(namesForParts(['apps', 'skills', 'data'], ['skills', 'apps'])).toBe('apps,skills');
  });

  it('never names a whole part if the backup contains single items of it', () => {
    const names = ['skills/pdf', 'skills/notes', 'apps'];
    expect(partsOfNames(names)).toEqual(['apps', 'skills']);
    expect(namesForParts(names, ['skills'])).toBe('skills/pdf,skills/notes');
  });
});
