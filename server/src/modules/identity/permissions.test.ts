import type { Group } from '@knowhow/shared/access/groups';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import { computePermissions, grantsSkill, groupsBySkill } from './permissions.ts';

const ids = ['a', 'b', 'c', 'd', 'unknown'];
const skills = ['pdf', 'docx', '*'];
const categories = ['HR', 'Office'];

test('lists the groups whose permissions grant a skill', () => {
  const group = fc.record({
    inherits: fc.subarray(ids),
    skills: fc.subarray(skills),
    categories: fc.subarray(categories),
  });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 4 }), (definitions) => {
      const groups = groupsOf(definitions);
      const granting = groupsBySkill(groups);
      for (const id of ['pdf', 'docx', 'other']) {
        for (const category of ['hr', 'office', 'law', undefined]) {
          const skill = { id, category };
          expect(granting(skill)).toEqual(
            [...groups.keys()].filter((group) =>
              grantsSkill(computePermissions([group], groups).skills, skill),
            ),
          );
        }
      }
    }),
  );
});

test('takes linear time for thousands of groups', () => {
  const work = (count: number) => {
    const groups = groupsOf(
      Array.from({ length: count }, (_, at) => ({
        inherits: at === 0 ? [] : [`g${at - 1}`],
        skills: [`skill-${at}`],
        categories: [],
      })),
    );
    return cpuTime(() => {
      const granting = groupsBySkill(groups);
      for (let at = 0; at < 50; at += 1) {
        expect(granting({ id: `skill-${at}`, category: undefined })).toHaveLength(count - at);
      }
    });
  };
  work(1000);
  // Linear is a factor of 20, plus the cost of memory; quadratic would be a factor of 400.
  expect(work(20_000)).toBeLessThan(200 * work(1000));
});

function groupsOf(
  definitions: { inherits: string[]; skills: string[]; categories: string[] }[],
): Map<string, Group> {
  return new Map(
    definitions.map(({ inherits, skills: granted, categories: skillCategories }, at) => {
      const id = definitions.length > ids.length ? `g${at}` : (ids[at] ?? '');
      return [id, { id, name: id, inherits, permissions: { skills: granted, skillCategories } }];
    }),
  );
}
