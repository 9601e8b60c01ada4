import { describe, expect, it } from 'vitest';
import { findInheritanceCycle, inheritedGrants, inheritedRights } from './inheritance.ts';

const groups = new Map(
  Object.entries({
    guests: { permissions: { apps: ['chat'], skills: ['minutes'] } },
    staff: { inherits: ['guests'], permissions: { apps: ['*'], skills: ['minutes', 'budget'] } },
    author: { permissions: { adminAccess: ['skills', 'tools'] } },
    boss: { inherits: ['staff'], permissions: { adminAccess: true } },
  }),
);

describe('inheritance', () => {
  it('returns what parent groups grant, each with the nearest group', () => {
    expect(inheritedGrants('skills', ['staff'], groups)).toEqual([
      { id: 'minutes', via: 'staff' },
      { id: 'budget', via: 'staff' },
    ]);
    expect(inheritedGrants('skills', ['guests'], groups)).toEqual([
      { id: 'minutes', via: 'guests' },
    ]);
  });

  it('names no single items if everything is granted', () => {
    expect(inheritedGrants('apps', ['guests', 'staff'], groups)).toEqual([
      { id: '*', via: 'staff' },
    ]);
  });

  it('includes admin permissions, and ignores missing groups', () => {
    expect(inheritedRights(['author', 'boss'], groups)).toEqual([{ id: '*', via: 'boss' }]);
    expect(inheritedRights(['author'], groups).map(({ id }) => id)).toEqual(['tools', 'skills']);
    expect(inheritedRights(['staff', 'nobody'], groups)).toEqual([]);
  });

  it('returns the cycle that a new parent would close', () => {
    expect(findInheritanceCycle('guests', 'boss', groups)).toEqual([
      'guests',
      'boss',
      'staff',
      'guests',
    ]);
    expect(findInheritanceCycle('guests', 'guests', groups)).toEqual(['guests', 'guests']);
    expect(findInheritanceCycle('boss', 'guests', groups)).toBeUndefined();
  });
});
