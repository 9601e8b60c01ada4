import { describe, expect, it } from 'vitest';
import { filtersOf, isNarrowed, requestOf, searchOf, sortingOf } from './skill-filters.ts';

const read = (address: string) => filtersOf(new URLSearchParams(address));

describe('the filters of the list of skills', () => {
  it.each([
    '',
    'query=pdf+form&source=local&status=broken&problems=errors&category=Office&tag=pdf&tool=shell&app=chat',
    'sort=uses',
    'sort=updated&page=3',
    'sort=status&order=desc',
    'sort=updated&order=asc',
  ])('are the same after a way through the address %s', (address) => {
    expect(searchOf(read(address)).toString()).toBe(address);
  });

  it('take what makes no sense in an address as not said', () => {
    const address = 'source=moon&status=&sort=colour&order=sideways&page=-2';
    expect(read(address)).toEqual(read(''));
  });

  it('put the newest first when sorted by date, and else go up', () => {
    expect(read('sort=updated').order).toBe('desc');
    expect(read('sort=source').order).toBe('asc');
  });

  it('leave it to the server what comes first of what is searched, until a column is chosen', () => {
    expect(sortingOf(read(''))).toEqual({ sort: 'name', order: 'asc' });
    const searched = read('query=pdf');
    expect(requestOf(searched).sort).toBeUndefined();
    expect(sortingOf(searched).sort).toBeUndefined();
    const chosen = searchOf({ ...searched, sort: 'name' });
    expect(requestOf(filtersOf(chosen)).sort).toBe('name');
  });

  it('ask the server for the page that is shown', () => {
    expect(requestOf(read(''))).not.toHaveProperty('cursor');
    expect(requestOf(read('page=3'))).toMatchObject({ limit: 50, cursor: '100' });
  });

  it('leave nothing out as long as only order and page are said', () => {
    expect(isNarrowed(read('sort=updated&page=3'))).toBe(false);
    expect(isNarrowed(read('tag=pdf'))).toBe(true);
    expect(isNarrowed(read('tool=shell'))).toBe(true);
    expect(isNarrowed(read('query=pdf'))).toBe(true);
  });
});
