import type { Diagnostic } from '@knowhow/shared/skills/skills';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';
import { parseSkill } from './parse-skill.ts';
import { readPlainDocument } from './read-plain-document.ts';
import { readFixedDocument, readSkillDocument } from './read-skill-document.ts';

const split = (text: string) => text.split('¦');
/** Tokens that may make a value complicated, and simple ones. */
const words = [
  ...split(
    'word¦two words¦a-b¦é¦日本¦😀¦x.y¦C#¦a: b¦a:b¦a #b¦a:¦:a¦- a¦-a¦? a¦|¦>¦>-¦|-¦|+¦>2¦&a¦*a¦!a',
  ),
  ...split(
    '@a¦`a`¦%a¦#a¦[a, b]¦[a, "b"]¦[]¦[a¦a]¦[[a]]¦[a: b]¦{a: b}¦a, b¦,¦~¦=¦<<¦(a)¦---¦...¦--- a',
  ),
  ...split(
    `""¦''¦"a"¦'a'¦"a: b"¦'it''s'¦"a\\n"¦"a¦a'b¦"a" b¦"a" # b¦''a¦1¦1.0¦1.2.3¦007¦0x1f¦0o7¦1e3¦-1`,
  ),
  ...split(
    '+1¦.5¦1.¦1_000¦12:30¦.inf¦2026-01-02¦2026-01-02T03:04:05Z¦true¦True¦FALSE¦yes¦null¦Null¦NULL',
  ),
  ...split('¦ ¦\t¦a\tb¦a ¦\u00a0¦a\u00a0¦\ufeff¦a\u2028b¦\u0085'),
];
const keys = split('name¦description¦metadata¦tags¦a¦b-c¦_d¦true¦Null¦__proto__');
const oddKeys = split(`constructor¦"q"¦'q'¦1¦ä¦a b¦¦- a¦?`);
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...keys) },
  { weight: 1, arbitrary: fc.constantFrom(...oddKeys) },
);
const value = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(' '));
const indent = fc.constantFrom('', ' ', '  ', '    ', '\t');
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
  { weight: 2, arbitrary: key.map((name) => `${name}:`) },
  { weight: 2, arbitrary: fc.tuple(indent, value).map(([space, text]) => `${space}- ${text}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(indent, key, value)
      .map(([space, name, text]) => `${space}${name}: ${text}`),
  },
  { weight: 2, arbitrary: fc.tuple(indent, value).map(([space, text]) => space + text) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '  ', '# note', 'key:value', 'a:  b', 'a: |', 'b: >-'),
  },
);
const forms = [
  ...split(`%¦"%"¦'%'¦  %  ¦[a, "b c", %]¦\n  - a\n  - %¦\n- 1.5\n- "%"¦¦\n¦\n  a: %\n  b: "1.0"`),
  ...split(
    '\n    a: 1\n\n    b:¦|\n  one\n    %\n\n  three\n¦|-\n %\n b¦>\n  %\n  two\n\n\n  three',
  ),
  ...split('>-\n a\n\n %¦%\n  in (another) line\n   and one¦C# a:b %'),
];
/** Fields that are simple except for an occasional word. */
const tame = fc
  .tuple(
    fc.constantFrom(...forms),
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom('word', 'two words', "it''s", '1.2.3', '12', 'true'),
      },
      { weight: 1, arbitrary: fc.constantFrom(...words) },
    ),
  )
  .map(([form, word]) => `: ${form.replace('%', () => word)}`);
/** A nested value below a key or a dash: in braces and brackets, quoted, or on separate lines. */
const tree: fc.Memo<string> = fc.memo((depth) =>
  depth <= 1
    ? fc.constantFrom(...split(`word¦"a, b"¦'it''s'¦1.5¦4-bit¦>=2.0¦a:b¦true¦%`))
    : fc.oneof(
        tree(1),
        fc.array(tree(1), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
        fc.tuple(tree(depth - 1), tree(depth - 1), fc.constantFrom('', ',')).map(inBraces),
        fc
          .tuple(tree(depth - 1), tree(depth - 1), fc.constantFrom('', ' ', '\n# note'))
          .map(inLines),
        fc.array(tree(depth - 1), { minLength: 1, maxLength: 3 }).map(inDashes),
        fc.constantFrom('|\n  one\n\n   two', '>-\n  one\n  two', 'one\n  two', '"one\n\n  two"'),
      ),
);
const below = (text: string, by = '  ') => text.replaceAll('\n', `\n${by}`);
const inBraces = ([one, other, comma]: string[]) =>
  `{"a": ${one},\n  b: ${below(other ?? '')}${comma}\n  }`;
const inLines = ([one, other, end]: string[]) =>
  below(`\nb-c: ${below(one ?? '')}\nd: ${below(other ?? '')}${end}`);
const inDashes = (items: string[]) =>
  items.map((text) => `\n  - ${below(text.replace(/^\n +/, ''), '    ')}`).join('');
/** Nested values with an occasional odd word. */
const nested = fc
  .tuple(tree(4), fc.oneof({ weight: 3, arbitrary: fc.constant('a') }, fc.constantFrom(...words)))
  .map(([text, word]) => `: ${text.replace('%', () => word)}`);
const frontmatter = fc
  .array(fc.oneof(tame, nested), { minLength: 1, maxLength: 4 })
  .map((fields) => fields.map((text, index) => `key-${index}${text}`).join('\n'));
const wild = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
const document = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: frontmatter }, { weight: 1, arbitrary: wild }),
    fc.constantFrom('\n---\n', '\n---\n', '\n--- \t\n', '\n---', '\n---\n\n\n', '\n---x\n'),
    fc.constantFrom('', 'Body', '\nBody\n---\nmore\n', '  Body'),
  )
  .map((parts) => `---\n${parts.join('')}`);

function expectSame(text: string): boolean {
  const plain = readPlainDocument(text);
  if (plain) {
    const diagnostics: Diagnostic[] = [];
    const { fields, body, bodyLine } = readFixedDocument(text, diagnostics);
    const short = readSkillDocument(Buffer.from(text));
    expect({ fields: [...short.fields], body: short.body, bodyLine: short.bodyLine }).toEqual({
      fields: [...fields],
      body,
      bodyLine,
    });
    expect(short.diagnostics).toEqual([]);
    expect(diagnostics).toEqual([]);
  }
  return plain !== undefined;
}

test('reads the same on the fast path as with YAML', () => {
  let taken = 0;
  fc.assert(
    fc.property(document, (text) => {
      taken += expectSame(text) ? 1 : 0;
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(500);
});

const oddBody = fc
  .array(
    fc.constantFrom('Body', ' ', '\n', '\r\n', '\t', '\u007f', '\u0001', '—', '\u00a0', '👍', '"'),
  )
  .map((parts) => parts.join(''));

test('reads the same from bytes as from text, for any body', () => {
  fc.assert(
    fc.property(document, oddBody, (start, end) => {
      const bytes = Buffer.from(start + end);
      const diagnostics: Diagnostic[] = [];
      const { fields, body } = readFixedDocument(decodeText(bytes, diagnostics), diagnostics);
      const read = readSkillDocument(bytes);
      expect({ fields: [...read.fields], body: read.body, found: read.diagnostics }).toEqual({
        fields: [...fields],
        body,
        found: diagnostics,
      });
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['an empty one', '\n \n', ['body-empty']],
  ['one of odd blanks', '\u00a0\u2003\n', ['body-empty']],
  ['one that begins oddly', '— so', []],
  ['a line too many', 'so\n'.repeat(500), ['body-long']],
  ['as many lines as may be', 'so\n'.repeat(499), []],
  ['too many short words', 'so '.repeat(7000), ['body-long']],
  ['one word of as many letters', 's'.repeat(21_000), []],
  ['too many signs of several bytes', '—'.repeat(20_000), ['body-long']],
])('validates the body: %s', (_, body, codes) => {
  const text = `---\nname: demo\ndescription: Reads — all.\n---\n${body}`;
  const { skill } = parseSkill(Buffer.from(text), 'demo');
  expect(skill.diagnostics.map(({ code }) => code)).toEqual(codes);
});

test.each([
  'name: demo\ndescription: Reads forms. Use when a form is to be filled.',
  "name: \"demo\"\ndescription: 'It''s quoted: yes'\nlicense: Apache-2.0",
  'name: demo\ndescription: >-\n  Folded over\n  two lines.\n\n  And more.\ntags:\n  - one\n  - "two"',
  'name: demo\ndescription: Goes on\n  in the next line.\nallowed-tools: Read, Bash(git *)',
  'name: demo\nmetadata:\n  author: me\n  version: "1.0"\n  tags: [a, b]\nuser-invocable: false',
  'name: demo\nmetadata:\n  author:\n    name: Ann\n    tools:\n    - git\n    - kind: uv\n      bins: []\n  always: no',
  'name: demo\nmetadata: {"house": {"emoji": "\\ud83d\\udc8a", "needs": {"bins": ["git"]}}}',
  'name: demo\nmetadata:\n  {\n    "house":\n      { "env": ["A_KEY"], },\n  }\ntags: [4-bit, torch>=2.0]',
  '# by hand\nname: demo\ndescription: "Says \\"yes\\"\n  in two\n\n  lines."',
  "name: demo\ndescription: 'Ends below\n\n  '\nlicense: MIT",
  'name: demo\ndescription: |\n  One\n    two\n  \nlicense: MIT',
])('takes the fast path: %j', (fields) => {
  expect(expectSame(`---\n${fields}\n---\n\n# Demo\n`)).toBe(true);
});

test('takes the slow path for long frontmatter', () => {
  const many = Array.from({ length: 300 }, (_, index) => `k${index}: v`).join('\n');
  expect(readPlainDocument(`---\n${many}\n---\n`)).toBeUndefined();
  expect(readPlainDocument(`---\nname: ${'n'.repeat(20_000)}\n---\n`)).toBeUndefined();
  expect(readPlainDocument(`---\nname: [${'a,'.repeat(6000)}]\n---\n`)).toBeUndefined();
  expect(readPlainDocument(`---\nname: ${'['.repeat(40)}${']'.repeat(40)}\n---\n`)).toBeUndefined();
});
