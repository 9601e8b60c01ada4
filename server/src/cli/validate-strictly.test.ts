import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { rawZip } from '../testing/raw-zip.ts';
import { runCommand } from '../testing/run-command.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** A skill named `x` with a description and additional frontmatter lines. */
const skill = (lines: string, description = 'It does.') =>
  `---\nname: x\ndescription: ${description}\n${lines === '' ? '' : `${lines}\n`}---\n\nDo it.\n`;

async function accepts(text: string | Uint8Array, { file = 'SKILL.md', name = 'x' } = {}) {
  const directory = join(await temporaryFolder(), name);
  await writeFiles(directory, { [file]: text });
  return (await runCommand(['validate', '--strict', directory], {})).code === 0;
}

const long = 'x'.repeat(1024);

/** Expected results were produced with `skills-ref` on the same files. */
describe('--strict accepts what the validator of the standard accepts:', () => {
  test.each([
    ['a plain skill', skill('')],
    ['carriage returns', skill('').replaceAll('\n', '\r\n')],
    ['a list of tools, line by line', skill('allowed-tools:\n  - Read\n  - Write')],
    ['nested metadata', skill('metadata:\n  a:\n    b: c\n  tags:\n    - red')],
    ['numbers below metadata', skill('metadata:\n  version: 1.0\n  ok: true')],
    ['metadata that is a text', skill('metadata: text')],
    ['a license that is a list', skill('license:\n  - MIT')],
    ['an empty compatibility', skill('compatibility:')],
    ['compatibility of 500', skill(`compatibility: ${'x'.repeat(500)}`)],
    ['a description of 1,024', skill('', long)],
    ['the same folded without a line end', skill('', `>-\n  ${long}`)],
    ['1,024 emoji', skill('', '😀'.repeat(1024))],
    ['yes', skill('', 'yes')],
    ['a comment after the description', skill('', 'Writes C # and more.')],
    ['dashes in the description', skill('', 'This --- and that.')],
    ['dashes later', skill('metadata:\n  a: x---y')],
    ['comments', skill('# A comment\nlicense: MIT # yes')],
    ['brackets within a text', skill('license: a&b [c] {d}')],
    ['brackets in quotes', skill('', '"[x] y"')],
    ['several lines', skill('', 'one\n  two\n  three')],
    ['a control character in the body', `${skill('')}\u0001\n`],
    ['no body', '---\nname: x\ndescription: It does.\n---'],
  ])('%s', async (_what, text) => {
    expect(await accepts(text)).toBe(true);
  });

  test('a file named skill.md, and names in other scripts', async () => {
    expect(await accepts(skill(''), { file: 'skill.md' })).toBe(true);
    for (const name of ['größe', '技能', '123']) {
      expect(await accepts(skill('').replace(': x', `: ${name}`), { name })).toBe(true);
    }
  });
});

describe('--strict rejects what it rejects:', () => {
  test.each<[string, string | Uint8Array]>([
    ['a byte order mark', `\uFEFF${skill('')}`],
    ['another encoding', Buffer.from(skill('', 'Café.'), 'latin1')],
    ['tools in brackets', skill('allowed-tools: [Read, Write]')],
    ['no tools in brackets', skill('allowed-tools: []')],
    ['metadata in braces', skill('metadata: {a: b}')],
    ['brackets below metadata', skill('metadata:\n  tags: [a, b]')],
    ['a license in brackets', skill('license: [MIT]')],
    ['compatibility that is a list', skill('compatibility:\n  - git')],
    ['compatibility of 501', skill(`compatibility: ${'x'.repeat(501)}`)],
    ['compatibility of 500 and a line end', skill(`compatibility: |\n  ${'x'.repeat(500)}`)],
    ['a description of 1,025', skill('', `${long}x`)],
    ['a description of 1,024 and a line end', skill('', `|\n  ${long}`)],
    ['an empty description', skill('', '""')],
    ['a description that is a list', skill('', '\n  - a')],
    ['a colon in the description', skill('', 'Use when: reading.')],
    ['a description that is a comment', skill('', '# Academic')],
    ['dashes in quotes', skill('', '"This --- and that."')],
    ['dashes before the description', skill('').replace('name', 'license: a---b\nname')],
    ['an anchor and an alias', skill('metadata:\n  a: &x b\n  c: *x')],
    ['a tag', skill('license: !!str MIT')],
    ['a field twice', skill('license: MIT\nlicense: BSD')],
    ['an entry twice', skill('metadata:\n  a: b\n  a: c')],
    ['another field', skill('version: 1')],
    ['tabs', skill('metadata:\n\ta: b')],
    ['a tab before a value', skill('license:\tMIT')],
    ['a tab in a value', skill('', 'It\tdoes.')],
    ['a line before', `\n${skill('')}`],
    ['a fence around', `\`\`\`yaml\n${skill('')}\`\`\`\n`],
    ['no opening line', skill('').slice(4)],
    ['no closing line', '---\nname: x\ndescription: It does.\n\n# Title\n'],
    ['no fields', '---\n---\n\nDo it.\n'],
    ['a list', '---\n- a\n---\n\nDo it.\n'],
    ['a control character', skill('license: M\u0001T')],
    ['another name', skill('').replace(': x', ': y')],
    ['no name', '---\ndescription: It does.\n---\n\nDo it.\n'],
    ['a merge conflict', skill('<<<<<<< H\nlicense: a\n=======\nlicense: b\n>>>>>>> x')],
  ])('%s', async (_what, text) => {
    expect(await accepts(text)).toBe(false);
  });

  test('a file named Skill.md, a flattened link, and names with invalid characters', async () => {
    expect(await accepts(skill(''), { file: 'Skill.md' })).toBe(false);
    expect(await accepts('docs/SKILL.md')).toBe(false);
    for (const name of ['X', 'a--b', 'a-', 'नमस्ते', 'x'.repeat(65)]) {
      expect(await accepts(skill('').replace(': x', `: ${name}`), { name })).toBe(false);
    }
  });

  test('a frontmatter of several MB, without parsing the rest', async () => {
    const folder = join(await temporaryFolder(), 'x');
    const lines = Array.from({ length: 150_000 }, (_, at) => `  key-${at}: a text\t\ttoo`);
    await writeFiles(folder, { 'SKILL.md': skill(`metadata:\n${lines.join('\n')}`) });
    const { code, out } = await runCommand(['validate', '--strict', folder], {});
    expect(code).toBe(1);
    expect(out).toContain('frontmatter-too-long');
    expect(out).not.toContain('strict-refused');
  });

  test('in an archive as well, with reason and location', async () => {
    const content = skill('allowed-tools: [Read]');
    const zip = join(folder, 'x.zip');
    await writeFiles(folder, { 'x.zip': rawZip([{ name: 'x/SKILL.md', content }]) });
    expect((await runCommand(['validate', zip], {})).code).toBe(0);
    const { code, out } = await runCommand(['validate', '--strict', zip], {});
    expect(code).toBe(1);
    expect(out).toMatch(/SKILL\.md:4 {2}info +strict-refused .* rejects a list in brackets/);
  });
});
