import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../server/src/testing/cpu-time.ts';
import { parseSkill } from './parse-skill.ts';

const parse = (text: string, folder = 'demo') => parseSkill(Buffer.from(text), folder);
const codes = (text: string, folder?: string) =>
  parse(text, folder).skill.diagnostics.map(({ code }) => code);

test.each([
  ['compatibility: ""', ['compatibility-empty']],
  ["compatibility: '  '", ['compatibility-empty']],
  ['compatibility:', ['compatibility-empty']],
  ['compatibility: [a]', ['compatibility-invalid']],
  ['compatibility: Needs git.', []],
])('validates %s', (line, expected) => {
  expect(codes(`---\nname: demo\ndescription: It.\n${line}\n---\nText`)).toEqual(expected);
});

describe('reading', () => {
  test('takes the fields and the body of a valid skill', () => {
    const { skill, body } = parse(
      '---\nname: demo\ndescription: Does it.\nlicense: MIT\nmetadata:\n  version: "1.0"\n---\n\n# Demo\n',
    );
    expect(skill).toMatchObject({
      id: 'demo',
      description: 'Does it.',
      license: 'MIT',
      metadata: { version: '1.0' },
      valid: true,
      enabledByDefault: true,
      diagnostics: [],
    });
    expect(body).toBe('# Demo\n');
  });

  test('drops a byte order mark and turns CRLF into LF', () => {
    const { skill, body } = parse(
      '\uFEFF---\r\nname: demo\r\ndescription: It.\r\n---\r\nOne\r\nTwo\r\n',
    );
    expect(skill.valid).toBe(true);
    expect(body).toBe('One\nTwo\n');
  });

  test('allows blanks after the dashes and no newline at the end', () => {
    expect(parse('---  \nname: demo\ndescription: It.\n---\t\nBody').body).toBe('Body');
  });

  test('ends the frontmatter only at a line of three dashes', () => {
    const { skill, body } = parse(
      '---\nname: demo\ndescription: |\n  one --- two\n  ---\n  three\nlicense: a --- b\n---\nText\n---\nmore\n',
    );
    expect(skill.description).toBe('one --- two\n---\nthree');
    expect(skill.license).toBe('a --- b');
    expect(body).toBe('Text\n---\nmore\n');
  });

  test('keeps the words of scalars as they are written', () => {
    const { skill } = parse('---\nname: 123\ndescription: yes\nlicense: 1.10\n---\n', '123');
    expect(skill).toMatchObject({ id: '123', description: 'yes', license: '1.10', valid: true });
  });

  test('quotes a plain value that YAML would refuse, and says so', () => {
    const text =
      '---\nname: demo\ndescription: Use when: the user asks\n  for more: things\nargument-hint: [file] [format]\n---\n';
    expect(parse(text).skill).toMatchObject({
      description: 'Use when: the user asks for more: things',
      argumentHint: '[file] [format]',
    });
    expect(codes(text)).toContain('yaml-quoted');
  });

  test('reads windows-1252 with a warning', () => {
    const bytes = Buffer.from('---\nname: demo\ndescription: caf\xe9\n---\nBody', 'latin1');
    const { skill } = parseSkill(bytes, 'demo');
    expect(skill.description).toBe('café');
    expect(skill.diagnostics.map(({ code }) => code)).toEqual(['encoding']);
  });

  test('gives every caller a document of its own', () => {
    const text = '---\nname: demo\ndescription: It.\nmetadata:\n  a: b\n---\n';
    expect(parse(text).skill.metadata).not.toBe(parse(text).skill.metadata);
  });
});

describe('hostile input', () => {
  test.each(['js', 'javascript', 'coffee', 'json', 'toml'])(
    'never runs or reads ---%s frontmatter',
    (language) => {
      const marker = `ran${language}`;
      const text = `---${language}\n(globalThis.${marker} = true, { name: 'demo', description: 'x' })\n---\nBody`;
      expect(codes(text)).toContain('frontmatter-engine-refused');
      expect(parse(text).skill.enabledByDefault).toBe(false);
      expect(marker in globalThis).toBe(false);
    },
  );

  test('refuses custom tags', () => {
    expect(
      codes('---\nname: demo\ndescription: !!js/function "function () {}"\n---\n'),
    ).not.toEqual([]);
  });

  test('stops aliases that multiply', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map((key, index) => {
        const above = 'abcdefgh'[index];
        return `${key}: &${key} [${Array(9).fill(`*${above}`).join(',')}]`;
      }),
    ].join('\n');
    const took = cpuTime(() =>
      expect(codes(`---\nname: demo\ndescription: It.\n${bomb}\n---\n`)).toContain('yaml-invalid'),
    );
    expect(took).toBeLessThan(1000);
  });

  test('keeps __proto__ out of every object', () => {
    const { skill } = parse(
      '---\nname: demo\ndescription: It.\n__proto__:\n  polluted: yes\nmetadata:\n  __proto__: x\n  constructor: y\n---\n',
    );
    expect(Object.keys(skill.metadata)).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });

  test.each([
    ['by YAML', 'description: It.'],
    ['with a value fixed', 'description: It: is'],
    ['line by line', 'description: It.\n- : ]\n  ["'],
  ])('names __proto__, constructor and prototype as unknown, read %s', (_how, line) => {
    const text = `---\nname: demo\n__proto__: {polluted: yes}\nconstructor: x\nprototype:\n  - y\n${line}\n---\nText`;
    const { skill } = parse(text);
    const unknown = skill.diagnostics.filter(({ code }) => code === 'unknown-field');
    expect(unknown.map((each) => [each.line, each.message])).toEqual(
      ['__proto__', 'constructor', 'prototype'].map((key, index) => [
        index + 3,
        `"${key}" is not a field of the specification; it is ignored.`,
      ]),
    );
    expect(JSON.stringify({ ...skill, diagnostics: [] })).not.toMatch(/polluted|"x"|"y"/);
  });

  test('does not read a frontmatter of 100 KB', () => {
    expect(codes(`---\nname: demo\ndescription: ${'x'.repeat(100_000)}\n---\n`)).toContain(
      'frontmatter-too-long',
    );
  });

  test.each(['', '---', '---\n---', '\0\0\0', '---\n- a\n---', '---\n: :\n  - ]\n---'])(
    'answers %j with a diagnostic',
    (text) => {
      const { skill } = parse(text);
      expect(skill.enabledByDefault).toBe(false);
      expect(skill.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    },
  );
});

describe('validation', () => {
  test('takes the name of the folder if there is none', () => {
    expect(parse('---\ndescription: It.\n---\n', 'My Folder').skill).toMatchObject({
      id: 'my-folder',
      valid: false,
      enabledByDefault: true,
    });
  });

  test('keeps an illegal name for display', () => {
    const { skill } = parse('---\nname: PDF Tools\ndescription: It.\n---\nBody', 'pdf-tools');
    expect(skill).toMatchObject({ id: 'pdf-tools', displayName: 'PDF Tools', valid: false });
    expect(skill.diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ['name-invalid', 2],
      ['name-directory-mismatch', 2],
    ]);
  });

  test.each(['über-skill', '技能', 'a', 'a1-b2'])('accepts the name %s', (name) => {
    expect(codes(`---\nname: ${name}\ndescription: It.\n---\nBody`, name)).toEqual([]);
  });

  test.each(['a--b', '-a', 'a-', 'A', 'a_b', 'a'.repeat(65)])('warns of the name %s', (name) => {
    expect(codes(`---\nname: "${name}"\ndescription: It.\n---\n`, name)).toContain('name-invalid');
  });

  test('takes frontmatter after a line of prose, and keeps the prose with the instructions', () => {
    const { skill, body } = parse(
      'A skill for forms.\n\n---\nname: demo\ndescription: Fills forms.\n---\n\nDo it.\n',
    );
    expect(skill).toMatchObject({ description: 'Fills forms.', enabledByDefault: true });
    expect(skill.diagnostics).toMatchObject([{ code: 'frontmatter-late', line: 1 }]);
    expect(body).toBe('A skill for forms.\n\nDo it.\n');
  });

  test.each(['Title\n---\nSome prose.\n---\nMore\n', 'Text\n\n---\n\n## Part\nname: x\n\n---\n'])(
    'takes no rule between paragraphs for frontmatter: %j',
    (text) => {
      expect(parse(text).skill.enabledByDefault).toBe(false);
    },
  );

  test.each([
    '---\nname: demo\n---\n# Demo\n\n**Description:** Fills forms.\n\nDo it.\n',
    '# Demo\n\nDescription: Fills forms.\n\nDo it.\n',
  ])('offers a skill that declares its description in the body, with a warning: %j', (text) => {
    const { skill } = parse(text);
    expect(skill).toMatchObject({
      description: 'Fills forms.',
      enabledByDefault: true,
      valid: false,
    });
    expect(skill.diagnostics).toMatchObject([{ code: 'description-in-body', severity: 'warning' }]);
  });

  test('keeps lists and maps below metadata as texts, and reads tags there', () => {
    const { skill } = parse(
      '---\nname: demo\ndescription: It.\nmetadata:\n  tags: [red, green]\n  author:\n    name: Ann\n  empty:\n---\nText',
    );
    expect(skill.metadata).toEqual({ tags: 'red, green', author: '{"name":"Ann"}' });
    expect(skill.tags).toEqual(['red', 'green']);
  });

  test('keeps a declared name that differs from the folder', () => {
    const { skill } = parse('---\nname: pdf-tools\ndescription: It.\n---\nText', 'pdf');
    expect(skill).toMatchObject({ id: 'pdf', displayName: 'pdf-tools' });
  });

  test.each([
    ['colours: [red, green]', /as one text such as "red, green"/],
    ['colours:\n  warm: red', /its content below metadata, one "key: text" per line/],
    ['colour: red', /^Move it below metadata, as one text\.$/],
  ])('says how to move a field outside of the specification: %j', (field, fix) => {
    const { skill } = parse(`---\nname: demo\ndescription: It.\n${field}\n---\nText`);
    expect(skill.diagnostics).toMatchObject([
      { code: 'unknown-field', fix: expect.stringMatching(fix) },
    ]);
  });

  test('disables a skill without description, and takes one from the body', () => {
    const { skill } = parse('---\nname: demo\n---\n# Title\n\nHelps with\nforms.\n');
    expect(skill).toMatchObject({ description: 'Helps with forms.', enabledByDefault: false });
  });

  test('warns of what is too long, and of fields of the wrong kind', () => {
    expect(
      codes(
        `---\nname: demo\ndescription: ${'d'.repeat(1025)}\ncompatibility: ${'c'.repeat(501)}\nmetadata: none\nallowed-tools: [a]\nextra: 1\n---\n${'line\n'.repeat(501)}`,
      ),
    ).toEqual([
      'description-too-long',
      'compatibility-invalid',
      'allowed-tools-invalid',
      'metadata-invalid',
      'unknown-field',
      'body-long',
    ]);
  });
});
