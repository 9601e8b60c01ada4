import { describe, expect, it } from 'vitest';
import { emptySkill, type NewSkill, skillText, toCreateRequest } from './new-skill.ts';

const metadataOf = (skill: NewSkill) => toCreateRequest(skill, 'n', '').metadata;

describe('a new skill', () => {
  it('has no metadata unless labels are set', () => {
    expect(metadataOf(emptySkill)).toBeUndefined();
    expect(metadataOf({ ...emptySkill, tags: ' , ' })).toBeUndefined();
  });

  it('stores labels below metadata, each tag and tool once', () => {
    const tags = 'Minutes, team  meetings,, minutes ';
    const requiresTools = ' shell, browser shell';
    expect(
      metadataOf({ ...emptySkill, category: 'writing', tags, version: ' 1.0', requiresTools }),
    ).toEqual({
      category: 'writing',
      tags: 'minutes, team-meetings',
      version: '1.0',
      'requires-tools': 'shell, browser',
    });
  });

  it('may have a custom category', () => {
    const own = { ...emptySkill, category: 'custom' as const };
    expect(metadataOf({ ...own, otherCategory: ' Legal ' })).toEqual({ category: 'Legal' });
    expect(metadataOf(own)).toEqual({ category: 'custom' });
  });

  it('is reviewed as a file with quoted strings, whatever they contain', () => {
    const skill = {
      ...emptySkill,
      title: 'An X',
      description: 'Says "a: b" # and\nmore',
      license: 'MIT',
    };
    const text = skillText(toCreateRequest({ ...skill, category: 'ops' }, 'x', '# X\n'));
    expect(text.split('\n')).toEqual([
      '---',
      'name: "x"',
      'description: "Says \\"a: b\\" # and\\nmore"',
      'license: "MIT"',
      'metadata:',
      '  category: "ops"',
      '---',
      '',
      '# X',
      '',
    ]);
  });
});
