import { describe, expect, it } from 'vitest';
import { slugify } from './slugify.ts';

describe('idOfName', () => {
  it.each([
    ['Travel & Expenses', 'travel-expenses'],
    ['Größen prüfen', 'groessen-pruefen'],
    ['  Café 2.0!  ', 'cafe-2-0'],
    ['日本', ''],
  ])('converts “%s” to “%s”', (name, id) => {
    expect(slugify(name)).toBe(id);
  });
});
