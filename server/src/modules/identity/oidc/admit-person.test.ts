import type { Group } from '@knowhow/shared/access/groups';
import { expect, test } from 'vitest';
import { groupsGiven } from './admit-person.ts';

test('ignores a mapping of another provider whose name is a prefix of the group', () => {
  const admins = { id: 'admins', mappings: ['keycloak:staff'] } as Group;
  const given = (name: string, group: string) =>
    groupsGiven([group], { name, defaultGroups: [] }, new Map([['admins', admins]]));
  expect(given('keycloak', 'staff')).toEqual(['admins']);
  expect(given('partners', 'keycloak:staff')).toEqual([]);
  expect(given('proxy', 'keycloak:staff')).toEqual([]);
});
