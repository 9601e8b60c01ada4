import { isSkillName } from '@knowhow/shared/skills/skill-name';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnosticKinds } from './diagnostics.ts';
import { parseSkill } from './parse-skill.ts';

const samples = [
  '---\nname: demo\ndescription: Reads forms. Use when a form is to be filled.\n---\n\n# Forms\n\n1. Look.\n',
  '---\nname: demo\ndescription: >-\n  Folded over\n  two lines.\nlicense: MIT\nmetadata:\n  version: 1.0\n  tags: [a, b]\nallowed-tools: Read Write\n---\nBody --- with dashes\n---\nmore\n',
  "---\r\nname: \"demo\"\r\ndescription: 'It''s: quoted'\r\ntags:\r\n  - one\r\n  - two\r\n---\r\nText\r\n",
  '\uFEFF---\nname: Demo Tools\ndescription: Use when: asked # or not\nargument-hint: [file] [format]\n---\n',
  '```markdown\n---\nname: demo\ndescription: &a In a fence\ncompatibility: *a\n---\nText\n```\n',
  '<!-- note -->\nname: demo\ndescription: no opening line\n---\nText\n',
];
/** Tokens with a meaning in YAML and frontmatter. */
const signs = [
  ...[
    '---',
    '\n',
    '\r\n',
    '\t',
    '  ',
    ': ',
    ':',
    '- ',
    '? ',
    '|',
    '>-',
    '#',
    '&a',
    '*a',
    '!!js',
    '!x',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '\\',
    '\\u0000',
    '\\uD800',
    '%',
    '@',
    '`',
    '```',
    '<!--',
    '-->',
  ],
  ...[
    'name',
    'description',
    'metadata',
    '__proto__',
    'constructor',
    '<<',
    'true',
    '1e3',
    'é',
    '\u202E',
  ],
  ...['\u200B', '\uFEFF', '\u2028', '\u0000', '...', '---js'],
];
const yamlish = fc.array(fc.constantFrom(...signs), { maxLength: 120 }).map((all) => all.join(''));
const mutated = fc
  .record({
    sample: fc.constantFrom(...samples),
    at: fc.nat(400),
    gone: fc.nat(40),
    put: fc.oneof(yamlish, fc.string({ unit: 'binary', maxLength: 20 })),
  })
  .map(({ sample, at, gone, put }) => sample.slice(0, at) + put + sample.slice(at + gone));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  yamlish.map((text) => Buffer.from(text)),
  yamlish.map((text) => Buffer.from(`---\nname: demo\n${text}\n---\nText`)),
  mutated.map((text) => Buffer.from(text)),
  mutated.map((text) => Buffer.from(`\uFEFF${text}`, 'utf16le')),
  fc
    .tuple(fc.constantFrom(...samples), fc.nat(400))
    .map(([text, end]) => Buffer.from(text).subarray(0, end)),
);
const folder = fc.oneof(fc.constantFrom('demo', '', 'My Folder'), fc.string({ unit: 'binary' }));

/** CPU time of this process in milliseconds, because the machine may be busy. */
function work(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null
    ? [...Object.keys(value), ...Object.values(value).flatMap(stringsIn)]
    : [];
}

test('returns a consistent skill and diagnostics for any bytes', () => {
  fc.assert(
    fc.property(bytes, folder, (input, name) => {
      const { skill, body, triggers } = parseSkill(input, name);
      const lines = new TextDecoder().decode(input).split(/\r\n?|\n/).length;
      for (const { line = 1 } of skill.diagnostics) {
        expect(line).toBeGreaterThan(0);
        // A file that is not UTF-8 may have other line ends than its UTF-8 decoding.
        expect(line).toBeLessThanOrEqual(Math.max(lines, input.length));
      }
      const kinds = skill.diagnostics.map(
        ({ code }) => diagnosticKinds[code as keyof typeof diagnosticKinds],
      );
      expect(skill.valid).toBe(!kinds.some((kind) => kind.breaksSpecification));
      expect(skill.enabledByDefault).toBe(!kinds.some(({ severity }) => severity === 'error'));
      expect(skill.loads || !skill.enabledByDefault).toBe(true);
      expect(skill.description !== '' || !skill.enabledByDefault).toBe(true);
      expect(isSkillName(skill.id)).toBe(true);
      expect(skill.displayName).not.toBe('');
      expect(Object.getPrototypeOf(skill.metadata)).toBe(Object.prototype);
      expect('polluted' in {}).toBe(false);
      expect([...stringsIn(skill), body, triggers].join('\n')).not.toMatch(/\p{Cs}|\0/u);
      expect(parseSkill(input, name)).toEqual({ skill, body, triggers });
    }),
    { numRuns: 2000 },
  );
});

test('reports line numbers within the file', () => {
  fc.assert(
    fc.property(mutated, (text) => {
      const { skill } = parseSkill(Buffer.from(text), 'demo');
      const lines = text.split(/\r\n?|\n/).length;
      expect(Math.max(1, ...skill.diagnostics.map(({ line = 1 }) => line))).toBeLessThanOrEqual(
        lines,
      );
    }),
    { numRuns: 1000 },
  );
});

describe('parses any file fast', () => {
  const fill = (text: string, length: number) => text.repeat(Math.floor(length / text.length));
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
  const frontmatter = (text: string) => `---\nname: demo\ndescription: It.\n${text}\n---\nText\n`;
  const nearly64K = 63 * 1024;
  const nearly4M = 4 * 1024 * 1024 - 100;

  test.each<[string, string]>([
    ...['[', '{', '- ', '? ', '[,', '"', '|\n', 'a:\n b:\n', '&a ', '!a ', '\n', 'a: [\n'].map(
      (sign): [string, string] => [
        `${JSON.stringify(sign)} again and again`,
        frontmatter(`x: ${fill(sign, nearly64K)}`),
      ],
    ),
    ['flow keys', frontmatter(`x: {${keys(9000).join(',')}}`)],
    ['8,000 keys', frontmatter(keys(8000).join(':\n').slice(0, nearly64K))],
    ['50,000 keys', frontmatter(keys(50_000).join(':\n'))],
    ['a frontmatter of 10 MB', frontmatter(`x: ${fill('y', 10_000_000)}`)],
    ['a body of 50 MB', frontmatter('') + fill('y\n', 50_000_000)],
    ['4 MB of lines', frontmatter('') + fill('\n', nearly4M)],
    ['4 MB of comments', fill('<!-- -->\n', nearly4M)],
    ['4 MB of blanks after a fence', `\`\`\`${fill(' ', nearly4M)}x y`],
    ['a name of 10,000 characters', `---\nname: ${fill('n', 10_000)}\ndescription: It.\n---\nText`],
  ])('%s', (_, text) => {
    const input = Buffer.from(text);
    parseSkill(input, 'demo');
    let skill: unknown;
    // The best of three, because of garbage collection.
    const minMs = Math.min(
      ...[1, 2, 3].map(() => work(() => (skill = parseSkill(input, 'demo').skill))),
    );
    expect(minMs).toBeLessThan(200);
    expect(skill).toMatchObject({ id: 'demo' });
    expect(JSON.stringify(skill).length).toBeLessThan(200_000);
  });
});

describe('names with hidden characters', () => {
  test.each([
    ['zero width', 'pdf\u200Btools', '\\u{200b}'],
    ['right to left', 'pdf\u202Esloot', '\\u{202e}'],
    ['tag characters', 'pdf\u{E0041}', '\\u{e0041}'],
  ])('%s: kept for display, escaped in the diagnostic', (_, name, revealed) => {
    const text = `---\nname: "${name}"\ndescription: It.\n---\nText`;
    const { skill } = parseSkill(Buffer.from(text), 'demo');
    expect(skill.displayName).toBe(name);
    const diagnostic = skill.diagnostics.find(({ code }) => code === 'hidden-characters');
    expect(diagnostic).toMatchObject({ line: 2, severity: 'warning' });
    expect(diagnostic?.message).toContain(revealed);
  });

  test('truncates a very long name and reports its length', () => {
    const text = `---\nname: ${'N'.repeat(10_000)}\ndescription: It.\n---\nText`;
    const { skill } = parseSkill(Buffer.from(text), 'demo');
    expect([...skill.displayName]).toHaveLength(200);
    expect(skill.diagnostics[0]?.message).toContain('10000 characters');
  });

  test('removes control characters and lone surrogates from escapes', () => {
    const text = '---\nname: demo\ndescription: "a\\0b\\e[1m \\uD800"\n---\nText';
    const { skill } = parseSkill(Buffer.from(text), 'demo');
    expect(skill.description).toBe('ab[1m \uFFFD');
    expect(skill.diagnostics).toMatchObject([{ code: 'control-characters', line: 3 }]);
  });
});

test('removes hidden characters from category and tags and reports them', () => {
  const parse = (lines: string) => {
    const text = `---\nname: demo\ndescription: It.\n${lines}\n---\nText`;
    return parseSkill(Buffer.from(text), 'demo').skill;
  };
  const hidden = (line: number) => ({ code: 'hidden-characters', severity: 'warning', line });
  const below = parse(
    'metadata:\n  category: "Law\u200B"\n  tags: ["re\\x07d", "\u202Eblue", "\\e"]',
  );
  expect(below).toMatchObject({ category: 'Law', tags: ['red', 'blue'] });
  expect(below.diagnostics.filter(({ code }) => code === 'hidden-characters')).toMatchObject([
    hidden(4),
    hidden(4),
  ]);
  const emoji = parse('metadata:\n  category: "👩‍⚖️ Law"');
  expect(emoji).toMatchObject({ category: '👩‍⚖️ Law', diagnostics: [] });
});

test('ignores and reports metadata keys that would pollute prototypes', () => {
  const entries = ['constructor', '__proto__', 'toString'].map((key) => `  ${key}: x\n`).join('');
  const text = `---\nname: demo\ndescription: It.\nmetadata:\n${entries}---\nText`;
  const { skill } = parseSkill(Buffer.from(text), 'demo');
  expect(Object.entries(skill.metadata)).toEqual([['toString', 'x']]);
  expect(skill.diagnostics.map(({ code, message, line }) => [code, message, line])).toEqual(
    ['constructor', '__proto__'].map((key) => [
      'unknown-field',
      `"metadata.${key}" is not a field of the specification; it is ignored.`,
      4,
    ]),
  );
});

test('does not split characters of a description from the body', () => {
  const description = (text: string) => parseSkill(Buffer.from(text), 'demo').skill.description;
  expect(description('**Description**: 使用说明')).toBe('使用说明');
  expect(description('description:!𐀀 is it')).toBe('𐀀 is it');
  expect(description(`x${'𐀀'.repeat(10_000)}`)).not.toMatch(/\p{Cs}/u);
});

test('does not load files that are empty, too large or in another language', () => {
  const codes = (text: string) => parseSkill(Buffer.from(text), 'demo').skill.diagnostics;
  expect(codes(' \n')).toMatchObject([{ code: 'unreadable', message: 'SKILL.md is empty.' }]);
  expect(codes('x'.repeat(4 * 1024 * 1024 + 1))).toMatchObject([{ code: 'too-large' }]);
  expect(codes('---js\n{}\n---\n')).toMatchObject([{ code: 'frontmatter-engine-refused' }]);
});
