import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { describe, expect, it } from 'vitest';
import {
  actionsFor,
  type Choices,
  finalName,
  firstChoices,
  importQuery,
  takenSkills,
} from './import-plan.ts';

const plain: SkillReport = {
  name: 'a',
  folder: 'a',
  displayName: 'a',
  description: 'Does a.',
  accepted: true,
  renamable: false,
  valid: true,
  diagnostics: [],
  files: [],
  bytes: 0,
  tokens: { entry: 0, body: 0 },
};
const conflict = {
  location: 'local:b',
  writable: true,
  description: 'Does b.',
  updatedAt: '2026-03-15T10:00:00Z',
  files: 1,
  bytes: 1,
  changes: [],
};
const taken: SkillReport = { ...plain, name: 'b', folder: 'b', conflict };
const misnamed: SkillReport = {
  ...plain,
  name: 'c-d',
  folder: 'C D',
  accepted: false,
  renamable: true,
};
const faulty: SkillReport = { ...plain, name: 'e', folder: 'e', accepted: false };

function queryFor(skills: SkillReport[], changed: Choices) {
  return importQuery(skills, { ...firstChoices(skills), ...changed });
}

describe('the plan of an import', () => {
  it('proposes all that can be taken, and leaves what there is as it is', () => {
    const skills = [plain, taken, misnamed, faulty];
    expect(takenSkills(skills, firstChoices(skills))).toEqual([plain, misnamed]);
  });

  it('proposes to replace only the skill from whose page the import began', () => {
    const other = { ...taken, name: 'd', folder: 'd' };
    const skills = [taken, other];
    expect(takenSkills(skills, firstChoices(skills, 'b'))).toEqual([taken]);
    expect(importQuery(skills, firstChoices(skills, 'b'))).toEqual({
      select: 'b',
      overwrite: 'true',
    });
  });

  it('offers only what is possible', () => {
    expect(actionsFor(plain)).toEqual(['take', 'rename', 'skip']);
    expect(actionsFor(taken)).toEqual(['replace', 'rename', 'skip']);
    expect(actionsFor(misnamed)).toEqual(['rename', 'skip']);
    expect(actionsFor(faulty)).toEqual(['skip']);
  });

  it('asks for nothing but the archive when all of it is taken as it is', () => {
    expect(queryFor([plain], {})).toEqual({});
  });

  it('names those to take when something is left out', () => {
    expect(queryFor([plain, faulty], {})).toEqual({ select: 'a' });
  });

  it('replaces only where that was chosen', () => {
    expect(queryFor([plain, taken], {})).toEqual({ select: 'a' });
    expect(queryFor([plain, taken], { b: { action: 'replace', newName: '' } })).toEqual({
      overwrite: 'true',
    });
  });

  it('gives new names by location', () => {
    const choices = { b: { action: 'rename', newName: ' b-two ' } } as const;
    expect(queryFor([taken, misnamed], choices)).toEqual({ rename: 'b:b-two,C D:c-d' });
    expect(finalName(taken, choices)).toBe('b-two');
  });

  it('names a skill where its location cannot be in a list', () => {
    const root: SkillReport = { ...plain, name: 'root', folder: '' };
    const odd: SkillReport = { ...plain, name: 'odd', folder: 'x, y' };
    expect(queryFor([root, odd, faulty], {})).toEqual({ select: 'root,odd' });
    expect(actionsFor(odd)).not.toContain('rename');
  });
});
