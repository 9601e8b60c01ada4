import { describe, expect, it } from 'vitest';
import { circleThrough, inheritedGrants, inheritedRights } from './inheritance.ts';

const groups = new Map(
  Object.entries({
    guests: { permissions: { apps: ['chat'], skills: ['minutes'] } },
    staff: { inherits: ['guests'], permissions: { apps: ['*'], skills: ['minutes', 'budget'] } },
    author: { permissions: { adminAccess: ['skills', 'tools'] } },
    boss: { inherits: ['staff'], permissions: { adminAccess: true } },
  }),
);

describe('inheritance', () => {
  it('brings what the groups above grant, each with the nearest that does', () => {
    expect(inheritedGrants('skills', ['staff'], groups)).toEqual([
      { id: 'minutes', via: 'staff' },
      { id: 'budget', via: 'staff' },
    ]);
    expect(inheritedGrants('skills', ['guests'], groups)).toEqual([
      { id: 'minutes', via: 'guests' },
    ]);
  });

  it('names nothing single where everything is granted', () => {
    expect(inheritedGrants('apps', ['guests', 'staff'], groups)).toEqual([
      { id: '*', via: 'staff' },
    ]);
  });

  it('brings admin rights, and nothing from groups that are not there', () => {
    expect(inheritedRights(['author', 'boss'], groups)).toEqual([{ id: '*', via: 'boss' }]);
    expect(inheritedRights(['author'], groups).map(({ id }) => id)).toEqual(['tools', 'skills']);
    expect(inheritedRights(['staff', 'nobody'], groups)).toEqual([]);
  });

  it('names the circle that a parent would close', () => {
    expect(circleThrough('guests', 'boss', groups)).toEqual(['guests', 'boss', 'staff', 'guests']);
    expect(circleThrough('guests', 'guests', groups)).toEqual(['guests', 'guests']);
    expect(circleThrough('boss', 'guests', groups)).toBeUndefined();
  });
});
