import { expect, test } from 'vitest';
import { EditedMap } from './edited-map.ts';

const a = { is: 'a' };
const b = { is: 'b' };
const other = { is: 'other' };
const base = new Map([
  ['a', a],
  ['b', b],
]);

test('overrides the values of some keys and keeps the order', () => {
  const edited = new EditedMap(base, new Map([['a', other]]));
  const expected = new Map([
    ['a', other],
    ['b', b],
  ]);
  expect([...edited]).toEqual([...expected]);
  expect([...edited.entries()]).toEqual([...expected]);
  expect([...edited.keys()]).toEqual(['a', 'b']);
  expect([...edited.values()]).toEqual([other, b]);
  const seen: unknown[] = [];
  edited.forEach((value, key, map) => {
    seen.push([key, value, map]);
  });
  expect(seen).toEqual([
    ['a', other, edited],
    ['b', b, edited],
  ]);
  expect(edited.size).toBe(2);
  expect([edited.get('a'), edited.get('b'), edited.get('c')]).toEqual([other, b, undefined]);
  expect([edited.has('a'), edited.has('c')]).toEqual([true, false]);
  expect(base.get('a')).toBe(a);
});
