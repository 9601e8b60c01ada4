import { describe, expect, test } from 'vitest';
import { diagnosticKinds } from './diagnostics.ts';
import { fixSkill, isFixable } from './fix-skill.ts';
import { parseSkill } from './parse-skill.ts';

const cases: Record<string, string | Buffer> = {
  encoding: Buffer.from('---\nname: pdf\ndescription: Caf\xe9 menus.\n---\n\nDo it.\n', 'latin1'),
  'byte-order-mark': '\uFEFF---\nname: pdf\ndescription: Reads.\n---\n\nDo it.\n',
  'line-endings': '---\r\nname: pdf\r\ndescription: Reads.\r\n---\r\n\r\nDo it.\r\n',
  'frontmatter-late': '\n\n---\nname: pdf\ndescription: Reads.\n---\n\nDo it.\n',
  'frontmatter-fenced': '```yaml\n---\nname: pdf\ndescription: Reads.\n---\n\nDo it.\n```\n',
  'frontmatter-unopened': 'name: pdf\ndescription: Reads.\n---\n\nDo it.\n',
  'frontmatter-missing': '# Title\n\nReads documents.\n',
  'yaml-duplicate-keys': '---\nname: pdf\nname: pdf\ndescription: Reads.\n---\n\nDo it.\n',
  'yaml-tabs': '---\nname: pdf\ndescription: Reads.\nmetadata:\n\tauthor: x\n---\n\nDo it.\n',
  'yaml-quoted': '---\nname: pdf\ndescription: Use when: reading.\n---\n\nDo it.\n',
  'name-missing': '---\ndescription: Reads.\n---\n\nDo it.\n',
  'name-invalid': '---\nname: PDF Reader\ndescription: Reads.\n---\n\nDo it.\n',
  'name-directory-mismatch':
    '---\n# kept\nname: other # gone\ndescription: Reads.\n---\n\nDo it.\n',
  'description-missing': '---\nname: pdf\n---\n\nReads documents.\n',
  'metadata-not-text':
    '---\nname: pdf\ndescription: Reads.\nmetadata:\n  version: 1.0\n---\n\nDo it.\n',
  'unknown-field':
    '---\nname: pdf\ndescription: Reads.\ntags: [a, b]\nmetadata:\n  author: x\n---\n\nDo it.\n',
};

describe.each(Object.entries(cases))('%s', (code, source) => {
  const bytes = Buffer.from(source);
  const before = parseSkill(bytes, 'pdf');
  const fixed = fixSkill(bytes, 'pdf', code);
  const after = parseSkill(Buffer.from(fixed ?? ''), 'pdf');

  test('is found and fixed', () => {
    expect(before.skill.diagnostics.map((each) => each.code)).toContain(code);
    expect(isFixable(code, before.skill.description)).toBe(true);
    expect(after.skill.diagnostics.map((each) => each.code)).not.toContain(code);
  });

  test('loses nothing', () => {
    expect(after.skill.description).toBe(before.skill.description);
    expect(after.body.trim()).toBe(before.body.trim());
  });
});

test('renames a skill without changing other lines', () => {
  const text = '---\n# kept\nname: other\ndescription: Reads.\n---\n\n| --- |\n';
  expect(fixSkill(Buffer.from(text), 'pdf', 'name-directory-mismatch')).toBe(
    text.replace('other', 'pdf'),
  );
});

test('keeps the values of unknown fields below metadata', () => {
  const fixed = fixSkill(Buffer.from(cases['unknown-field'] ?? ''), 'pdf', 'unknown-field');
  expect(parseSkill(Buffer.from(fixed ?? ''), 'pdf').skill.metadata).toEqual({
    tags: 'a, b',
    author: 'x',
  });
});

test('keeps the effect of known fields below metadata', () => {
  const source =
    '---\nname: pdf\ndescription: Reads.\ntags: [a, b]\ncategory: ops\nargument-hint: "[file]"\nuser-invocable: false\ndisable-model-invocation: true\n---\n\nDo it.\n';
  const before = parseSkill(Buffer.from(source), 'pdf').skill;
  const fixed = fixSkill(Buffer.from(source), 'pdf', 'unknown-field') ?? '';
  const { tags, category, argumentHint, userInvocable, modelInvocable, valid } = parseSkill(
    Buffer.from(fixed),
    'pdf',
  ).skill;
  expect({ tags, category, argumentHint, userInvocable, modelInvocable }).toEqual({
    tags: before.tags,
    category: 'ops',
    argumentHint: '[file]',
    userInvocable: false,
    modelInvocable: false,
  });
  expect(valid).toBe(true);
});

test('removes a field that is never read completely', () => {
  const source = Buffer.from('---\nname: pdf\ndescription: Reads.\n__proto__: x\n---\n\nDo it.\n');
  expect(parseSkill(source, 'pdf').skill.diagnostics).toMatchObject([{ code: 'unknown-field' }]);
  expect(fixSkill(source, 'pdf', 'unknown-field')).toBe(
    '---\nname: pdf\ndescription: Reads.\n---\n\nDo it.\n',
  );
});

test('does not fix what only a person can decide', () => {
  expect(isFixable('description-too-long', 'x')).toBe(false);
  expect(isFixable('frontmatter-missing', '')).toBe(false);
  expect(fixSkill(Buffer.from('x'), 'pdf', 'constructor')).toBeUndefined();
});

test('names only existing diagnostics', () => {
  expect(Object.keys(diagnosticKinds)).toEqual(expect.arrayContaining(Object.keys(cases)));
});
