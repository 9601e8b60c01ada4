import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { appAssignments, groupAssignments } from './assignments.ts';

const item = (id: string, config: Record<string, unknown> | undefined): ConfigItem => ({
  id,
  path: `contents/${id}.json`,
  config: config && { id, ...config },
  text: '',
  checksum: '',
});
const app = (id: string, skills?: string[]) => item(id, { name: { en: id, de: `${id}!` }, skills });
const group = (id: string, skills: string[], inherits: string[] = []) =>
  item(id, { name: id.toUpperCase(), inherits, permissions: { skills } });

describe('the apps of a skill', () => {
  it('are distinguished by whether they list it, offer everything, or neither', () => {
    const skill = adminSkill({ listedInApps: ['chat'] });
    const apps = [app('chat', ['pdf']), app('all', ['*']), app('other')];
    expect(appAssignments(skill, apps, 'de')).toMatchObject([
      { id: 'chat', name: 'chat!', isDirect: true, otherwise: undefined },
      { id: 'all', isDirect: false, otherwise: 'all' },
      { id: 'other', isDirect: false, otherwise: undefined },
    ]);
  });

  it('all have a global skill', () => {
    const [other] = appAssignments(adminSkill({ global: true }), [app('other')], 'en');
    expect(other).toMatchObject({ isDirect: false, otherwise: 'global' });
  });

  it('fall back to their ID if the file cannot be read', () => {
    const [broken] = appAssignments(adminSkill(), [item('chat', undefined)], 'en');
    expect(broken).toMatchObject({ name: 'chat', isBroken: true });
  });
});

describe('the groups of a skill', () => {
  it('name the nearest group from which they inherit it', () => {
    const groups = [
      group('users', ['pdf']),
      group('legal', [], ['users']),
      group('interns', [], ['legal']),
      group('admins', ['*'], ['users']),
      group('guests', []),
    ];
    const skill = adminSkill({ grantedByGroups: ['users'] });
    expect(groupAssignments(skill, groups)).toMatchObject([
      { id: 'users', isDirect: true, otherwise: undefined },
      { id: 'legal', isDirect: false, otherwise: { inheritedFrom: 'USERS' } },
      { id: 'interns', isDirect: false, otherwise: { inheritedFrom: 'USERS' } },
      { id: 'admins', isDirect: false, otherwise: 'all' },
      { id: 'guests', isDirect: false, otherwise: undefined },
    ]);
  });

  it('do not loop on circular inheritance', () => {
    const groups = [group('a', [], ['b']), group('b', [], ['a'])];
    const skill = adminSkill({ grantedByGroups: [] });
    expect(groupAssignments(skill, groups).map(({ otherwise }) => otherwise)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
