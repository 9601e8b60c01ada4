import { parseSkill } from '@knowhow/skill-format';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource } from '../../../testing/memory-source.ts';
import { buildSnapshot, type SkillSnapshot, skillsSince } from './skill-snapshot.ts';
import type { FoundSkill } from './skill-source.ts';
import { createSnapshotKeeper } from './snapshot-keeper.ts';

const source = memorySource();

/** Folders `a/x`, `b/x`, `a/y`, … have skills with colliding ids and equal texts. */
const paths = ['a/x', 'a/y', 'a/z', 'b/x', 'b/y'];
const text = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom('gone', 'broken') },
);

function foundAt(path: string, content: number | string): FoundSkill | undefined {
  if (content === 'gone') {
    return undefined;
  }
  if (content === 'broken') {
    const diagnostic = { code: 'unreadable', severity: 'error', message: 'No.' } as const;
    return { path, source, diagnostic };
  }
  const bytes = Buffer.from(`---\nname: x\ndescription: Text ${content}.\n---\nDo.`);
  const { skill } = parseSkill(bytes, path.slice(2));
  return { ...skill, path, source, updatedAt: 0 };
}

const listed = ({ skills, shadowed, unreadable }: SkillSnapshot) => {
  return { skills: [...skills], shadowed, unreadable };
};

/** Ids of skills that are in both and differ. */
function changedIds(now: SkillSnapshot, former: SkillSnapshot): string[] {
  const both = [...now.skills].filter(([id]) => former.skills.has(id));
  return both.filter(([id, skill]) => former.skills.get(id) !== skill).map(([id]) => id);
}

test('updates a snapshot to the same result as a rebuild', () => {
  const round = fc.dictionary(fc.constantFrom(...paths), text, { maxKeys: 2 });
  let rounds = 0;
  let asked = 0;
  fc.assert(
    fc.property(fc.array(text, { minLength: 5, maxLength: 5 }), fc.array(round), (first, later) => {
      const now = new Map(paths.map((path, at) => [path, foundAt(path, first[at] ?? 'gone')]));
      const found = () => [...now.values()].filter((each) => each !== undefined);
      const keeper = createSnapshotKeeper();
      keeper.replace(found());
      const earlier = [keeper.snapshot];
      for (const edits of later) {
        const changes = Object.entries(edits).map(([path, content]) => {
          const before = now.get(path);
          const after = foundAt(path, content);
          now.set(path, after);
          return { before, after };
        });
        const former = keeper.snapshot;
        const formerly = listed(former);
        keeper.change(changes, () => {
          asked += 1;
          return found();
        });
        rounds += 1;
        expect(listed(former)).toEqual(formerly);
        expect(listed(keeper.snapshot)).toEqual(listed(buildSnapshot(found())));
        for (const before of earlier) {
          const since = skillsSince(keeper.snapshot, before);
          expect([...since.keys()]).toEqual(
            expect.arrayContaining(changedIds(keeper.snapshot, before)),
          );
        }
        earlier.push(keeper.snapshot);
      }
    }),
  );
  expect(asked).toBeGreaterThan(rounds / 10);
  expect(asked).toBeLessThan(rounds);
});

test('rebuilds the snapshot only after hundreds of edits', () => {
  const keeper = createSnapshotKeeper();
  let current = foundAt('a/x', 'broken');
  let asked = 0;
  for (let content = 0; content <= 500; content++) {
    const before = current;
    current = foundAt('a/x', content);
    const found = current ? [current] : [];
    keeper.change([{ before, after: current }], () => {
      asked += 1;
      return found;
    });
    expect(keeper.snapshot.skills.get('x')).toBe(current);
  }
  expect(asked).toBe(3);
});
