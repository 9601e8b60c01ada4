import { describe, expect, it } from 'vitest';
import {
  getSorting,
  hasActiveFilters,
  parseFilters,
  serializeFilters,
  toSkillListQuery,
} from './skill-filters.ts';

const read = (address: string) => parseFilters(new URLSearchParams(address));

describe('the filters of the skill list', () => {
  it.each([
    '',
    'query=pdf+form&source=local&status=broken&problems=errors&category=Office&tag=pdf&tool=shell&app=chat',
    'sort=uses',
    'sort=updated&page=3',
    'sort=status&order=desc',
    'sort=updated&order=asc',
  ])('survive a round trip through the URL %s', (address) => {
    expect(serializeFilters(read(address)).toString()).toBe(address);
  });

  it('ignore invalid values in the URL', () => {
    const address = 'source=moon&status=&sort=colour&order=sideways&page=-2';
    expect(read(address)).toEqual(read(''));
  });

  it('sort dates descending, and all else ascending', () => {
    expect(read('sort=updated').order).toBe('desc');
    expect(read('sort=source').order).toBe('asc');
  });

  it('leave the ranking of a search to the server until a column is selected', () => {
    expect(getSorting(read(''))).toEqual({ sort: 'name', order: 'asc' });
    const searched = read('query=pdf');
    expect(toSkillListQuery(searched).sort).toBeUndefined();
    expect(getSorting(searched).sort).toBeUndefined();
    const chosen = serializeFilters({ ...searched, sort: 'name' });
    expect(toSkillListQuery(parseFilters(chosen)).sort).toBe('name');
  });

  it('request the current page from the server', () => {
    expect(toSkillListQuery(read(''))).not.toHaveProperty('cursor');
    expect(toSkillListQuery(read('page=3'))).toMatchObject({ limit: 50, cursor: '100' });
  });

  it('do not count as active if only order and page are set', () => {
    expect(hasActiveFilters(read('sort=updated&page=3'))).toBe(false);
    expect(hasActiveFilters(read('tag=pdf'))).toBe(true);
    expect(hasActiveFilters(read('tool=shell'))).toBe(true);
    expect(hasActiveFilters(read('query=pdf'))).toBe(true);
  });
});
