import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { describe, expect, it } from 'vitest';
import {
  type Choices,
  defaultChoices,
  finalName,
  planImport,
  possibleActions,
  selectedSkills,
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

function planFor(skills: SkillReport[], changed: Choices) {
  return planImport(skills, { ...defaultChoices(skills), ...changed });
}

describe('the plan of an import', () => {
  it('selects everything importable, and replaces nothing', () => {
    const skills = [plain, taken, misnamed, faulty];
    expect(selectedSkills(skills, defaultChoices(skills))).toEqual([plain, misnamed]);
  });

  it('suggests replacing only the skill whose page started the import', () => {
    const other = { ...taken, name: 'd', folder: 'd' };
    const skills = [taken, other];
    expect(selectedSkills(skills, defaultChoices(skills, 'b'))).toEqual([taken]);
    expect(planImport(skills, defaultChoices(skills, 'b'))).toEqual({
      selection: { select: ['b'] },
      overwrite: 'true',
    });
  });

  it('offers only possible actions', () => {
    expect(possibleActions(plain)).toEqual(['take', 'rename', 'skip']);
    expect(possibleActions(taken)).toEqual(['replace', 'rename', 'skip']);
    expect(possibleActions(misnamed)).toEqual(['rename', 'skip']);
    expect(possibleActions(faulty)).toEqual(['skip']);
  });

  it('requests only the archive if everything is imported unchanged', () => {
    expect(planFor([plain], {})).toEqual({ selection: {} });
  });

  it('names the selected skills if some are skipped', () => {
    expect(planFor([plain, faulty], {})).toEqual({ selection: { select: ['a'] } });
  });

  it('replaces only on request', () => {
    expect(planFor([plain, taken], {})).toEqual({ selection: { select: ['a'] } });
    expect(planFor([plain, taken], { b: { action: 'replace', newName: '' } })).toEqual({
      selection: {},
      overwrite: 'true',
    });
  });

  it('assigns new names by location', () => {
    const choices = { b: { action: 'rename', newName: ' b-two ' } } as const;
    expect(planFor([taken, misnamed], choices)).toEqual({
      selection: { rename: ['b:b-two', 'C D:c-d'] },
    });
    expect(finalName(taken, choices)).toBe('b-two');
  });

  it('uses the name of a skill if its location cannot be part of a list', () => {
    const root: SkillReport = { ...plain, name: 'root', folder: '' };
    const odd: SkillReport = { ...plain, name: 'odd', folder: 'x, y' };
    expect(planFor([root, odd, faulty], {})).toEqual({ selection: { select: ['root', 'odd'] } });
    expect(possibleActions(odd)).not.toContain('rename');
  });
});
