import { describe, expect, it } from 'vitest';
import { onlyFor, partsOf } from './chosen-names.ts';

describe('what is chosen of a backup', () => {
  it('is everything when each part is: also what a later version may add', () => {
    expect(onlyFor(['apps', 'skills', 'data'], ['apps', 'skills', 'data'])).toBeUndefined();
  });

  it('is the parts that were chosen', () => {
    expect(onlyFor(['apps', 'skills', 'data'], ['skills', 'apps'])).toBe('apps,skills');
  });

  it('is never a whole part when the backup holds single items of it', () => {
    const names = ['skills/pdf', 'skills/notes', 'apps'];
    expect(partsOf(names)).toEqual(['apps', 'skills']);
    expect(onlyFor(names, ['skills'])).toBe('skills/pdf,skills/notes');
  });
});
