import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Problem } from '@knowhow/shared/problem';
import AdmZip from 'adm-zip';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RawTarEntry, rawTar, tarBytes } from '../../../testing/raw-tar.ts';
import { type RawEntry, rawZip } from '../../../testing/raw-zip.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { unpackArchive } from './unpack-archive.ts';

const main = skillFile('good', 'Does good.');
const skillEntry: RawEntry = { name: 'good/SKILL.md', content: main };

/** A zip with a valid skill and other entries. */
function zipWith(...more: RawEntry[]): Buffer {
  return rawZip([skillEntry, ...more]);
}

function tarWith(...more: RawTarEntry[]): Buffer {
  return rawTar([{ path: 'good/SKILL.md', content: main }, ...more]);
}

function portable(skill: object, rest: object = { formatVersion: 2 }): Buffer {
  return Buffer.from(JSON.stringify({ ...rest, skill: { content: main, ...skill } }));
}

/** The issues of an archive, as `path: code`; empty if it is accepted. */
async function faultsOf(bytes: Buffer, fileName?: string): Promise<string[]> {
  try {
    await unpackArchive(bytes, { fileName });
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-archive') {
      return (error.issues ?? []).map(({ path, code }) => `${path}: ${code}`);
    }
    throw error;
  }
}

/** The texts of each skill's files, by folder name. */
async function textsOf(bytes: Buffer, fileName?: string): Promise<Record<string, object>> {
  const { skills } = await unpackArchive(bytes, { fileName });
  return Object.fromEntries(
    skills.map(({ folder, files }) => [
      folder,
      Object.fromEntries(files.map((file) => [file.path, Buffer.from(file.bytes).toString()])),
    ]),
  );
}

test('refuses skills that name a file of the archive many times instead of having their own', async () => {
  const big = { path: 'big.md', content: randomBytes(2 * 1024 * 1024).toString('hex') };
  const links = Array.from({ length: 2000 }, (_, at) => ({
    path: `skills/s${at}/SKILL.md`,
    content: '../../big.md',
  }));
  expect(await faultsOf(rawTar([big, ...links]))).toEqual([': too-large']);
});

test('reads skills whatever names files outside of them have', async () => {
  const others = [{ name: 'docs/a\\b.txt' }, { name: 'docs/c\\d.json', content: '{}' }];
  expect(await faultsOf(zipWith(...others))).toEqual([]);
  const skill = { name: 'other\\SKILL.md', content: main };
  expect(await faultsOf(zipWith(...others, skill))).toEqual(['other\\SKILL.md: path-backslash']);
});

describe('names', () => {
  test.each([
    ['../evil.md', 'path-outside'],
    ['good/../../evil.md', 'path-outside'],
    ['good/..', 'path-outside'],
    ['/etc/evil.md', 'path-absolute'],
    ['C:/evil.md', 'path-absolute'],
    ['c:evil.md', 'path-absolute'],
    ['good/..\\evil.md', 'path-backslash'],
    ['\\\\host\\share', 'path-backslash'],
    ['good/%2e%2E/evil.md', 'path-outside'],
    ['good/..%2fevil.md', 'path-outside'],
    ['good/\uff0e\uff0e/evil.md', 'path-outside'],
    ['good//evil.md', 'path-absolute'],
    ['good/a//evil.md', 'path-empty-name'],
    ['good/a/./evil.md', 'path-empty-name'],
    ['good/a\u0000.md', 'path-control-character'],
    ['good/a\n.md', 'path-control-character'],
    ['good/con', 'path-reserved-name'],
    ['good/Com1.txt', 'path-reserved-name'],
    ['good/nul /a.md', 'path-trailing'],
    ['good/evil.md.', 'path-trailing'],
    ['good/evil.md ', 'path-trailing'],
    [`good/${'a'.repeat(257)}`, 'path-too-long'],
    [`good/${'ä'.repeat(200)}`, 'path-name-too-long'],
  ])('rejects %j in a zip and in JSON', async (name, code) => {
    expect(await faultsOf(zipWith({ name }))).toEqual([expect.stringMatching(`: ${code}$`)]);
    const path = name.replace(/^good\/(?!\/)/, '');
    expect(await faultsOf(portable({ files: [{ path, content: '' }] }))).toHaveLength(1);
  });

  test('rejects path traversal, absolute and invalid names in a tar', async () => {
    const names = ['../evil.md', '/evil.md', 'good/../../evil.md', 'good/a\\b.md'];
    const entries = names.map((path) => ({ path }));
    // The sum of these bytes, and with it the checksum, is unchanged.
    const latin1 = tarBytes([{ path: 'good/SKILL.md', content: main }, { path: 'good/zzz.md' }])
      .toString('latin1')
      .replace('zzz', '\u00e4EE');
    expect(await faultsOf(tarWith(...entries))).toHaveLength(4);
    expect(await faultsOf(gzipSync(Buffer.from(latin1, 'latin1')))).toEqual([
      'good/\ufffdEE.md: path-encoding',
    ]);
  });

  test('escapes and truncates names in messages', async () => {
    const name = `good/\u202e${'a'.repeat(5000)}`;
    const [fault] = await faultsOf(zipWith({ name }));
    expect(fault).toMatch(/^good\/\\u\{202e\}a{250}…: path-too-long$/);
  });

  test.each([
    ['name-twice', ['good/a.md', 'good/a.md']],
    ['name-collision', ['good/a.md', 'good/A.md']],
    ['name-collision', ['good/stra\u00dfe', 'good/STRASSE']],
    ['name-collision', ['good/\u00e9.md', 'good/e\u0301.md']],
    ['name-collision', ['good/Sub/a.md', 'good/sub/b.md']],
    ['name-collision', ['good/skill.md']],
    ['file-and-folder', ['good/a', 'good/a/b.md']],
  ])('%s: %j', async (code, names) => {
    const entries = names.map((name) => ({ name }));
    expect(await faultsOf(zipWith(...entries))).toEqual([expect.stringMatching(`: ${code}$`)]);
  });

  test('decodes names without the UTF-8 flag as UTF-8 if valid, otherwise CP437', async () => {
    const zip = zipWith(
      { name: 'good/\u00fc.md' },
      { name: Buffer.from([...Buffer.from('good/'), 0x81, 0x94]) },
      { name: Buffer.from([...Buffer.from('good/'), 0x94, 0x81]) },
    );
    expect(Object.keys((await textsOf(zip)).good ?? {})).toEqual([
      'SKILL.md',
      '\u00fc.md',
      '\u00fc\u00f6',
      '\u00f6\u00fc',
    ]);
    const name = Buffer.from([...Buffer.from('good/'), 0x81]);
    const marked = zipWith({ name, flags: 0x0800 });
    expect(await faultsOf(marked)).toEqual(['good/\ufffd: path-encoding']);
  });
});

describe('a zip', () => {
  const letters = 'abc'.repeat(1000);
  const bomb = Buffer.alloc(3 * 1024 * 1024);
  const plain = zipWith();
  const locator = Buffer.concat([Buffer.from('PK\u0006\u0007'), Buffer.alloc(16)]);
  test.each<[string, Buffer, string[]]>([
    ['that is empty', Buffer.alloc(0), [': empty']],
    ['without entries', rawZip([]), [': no-skill']],
    ['without a SKILL.md', rawZip([{ name: 'a/b.md' }]), [': no-skill']],
    ['with an encrypted entry', zipWith({ name: 'good/a', flags: 1 }), ['good/a: encrypted']],
    ['packed in another way', zipWith({ name: 'good/a', method: 12 }), ['good/a: compression']],
    [
      'with a wrong checksum',
      zipWith({ name: 'good/a', content: 'a', crc: 1 }),
      ['good/a: checksum'],
    ],
    [
      'that declares less than it contains',
      zipWith({ name: 'good/a', content: letters, size: 10 }),
      ['good/a: size-mismatch'],
    ],
    [
      'that declares more than it contains',
      zipWith({ name: 'good/a', content: letters, size: 4000 }),
      ['good/a: size-mismatch'],
    ],
    [
      'that declares more than it stores',
      zipWith({ name: 'good/a', content: 'abc', method: 0, size: 4 }),
      ['good/a: size-mismatch'],
    ],
    ['with a zip bomb', zipWith({ name: 'good/a', content: bomb }), ['good/a: bomb']],
    [
      'with a zip bomb that declares a small size',
      zipWith({ name: 'good/a', content: bomb, size: 9 }),
      ['good/a: bomb'],
    ],
    [
      'with a file that is too large',
      zipWith({ name: 'good/a', content: Buffer.alloc(4 * 1024 * 1024 + 1), method: 0 }),
      ['good/a: file-too-large'],
    ],
    [
      'with damaged data',
      zipWith({ name: 'good/a', content: 'abc', data: Buffer.from('not deflated') }),
      ['good/a: damaged'],
    ],
    [
      'with something after the data',
      zipWith({ name: 'good/a', data: Buffer.from([3, 0, 1, 2]) }),
      ['good/a: damaged'],
    ],
    [
      'with overlapping entries',
      zipWith({ name: 'good/SKILL.md', content: main, offset: 0 }),
      ['good/SKILL.md: overlap'],
    ],
    [
      'with something in front',
      rawZip([skillEntry], { prefix: Buffer.from('#!/bin/sh\n') }),
      ['good/SKILL.md: hidden-data'],
    ],
    [
      'put behind something else',
      Buffer.concat([Buffer.from('GIF89a'), zipWith()]),
      [': hidden-data'],
    ],
    ['with something behind', Buffer.concat([zipWith(), Buffer.from('x')]), [': truncated']],
    ['with a gap', rawZip([skillEntry], { gap: Buffer.from('x') }), [': hidden-data']],
    [
      'with another name in the header of the entry',
      zipWith({ name: 'good/a', local: { name: 'good/b' } }),
      ['good/a: header-mismatch'],
    ],
    [
      'with another size in the header of the entry',
      zipWith({ name: 'good/a', local: { size: 1 } }),
      ['good/a: header-mismatch'],
    ],
    [
      'with other flags in the header of the entry',
      zipWith({ name: 'good/a', local: { flags: 0x0800 } }),
      ['good/a: header-mismatch'],
    ],
    ['with a device', zipWith({ name: 'good/a', mode: 0o020644 }), ['good/a: special-file']],
    [
      'with a folder that has content',
      zipWith({ name: 'good/a/', content: 'a' }),
      ['good/a/: special-file'],
    ],
    ['with too many entries', rawZip([skillEntry], { count: 65_535 }), [': too-many-entries']],
    [
      'in the 64-bit format',
      Buffer.concat([plain.subarray(0, -22), locator, plain.subarray(-22)]),
      [': zip64'],
    ],
    ['with fewer entries than it says', rawZip([skillEntry], { count: 2 }), [': damaged']],
    [
      'with more entries than it says',
      rawZip([skillEntry, { name: 'a' }], { count: 1 }),
      [': damaged'],
    ],
  ])('%s is rejected', async (_, bytes, faults) => {
    expect(await faultsOf(bytes)).toEqual(faults);
  });
});

describe('a tar', () => {
  const bytes = tarBytes([{ path: 'good/SKILL.md', content: main }]);
  const packed = gzipSync(bytes);
  test.each<[string, Buffer, string[]]>([
    [
      'with a device',
      tarWith({ path: 'good/a', type: 'CharacterDevice' }),
      ['good/a: special-file'],
    ],
    [
      'with a block device',
      tarWith({ path: 'good/a', type: 'BlockDevice' }),
      ['good/a: special-file'],
    ],
    ['with a pipe', tarWith({ path: 'good/a', type: 'FIFO' }), ['good/a: special-file']],
    [
      'with a sparse file',
      tarWith({ path: 'good/a', type: 'SparseFile' }),
      ['good/a: special-file'],
    ],
    ['without its end', gzipSync(bytes.subarray(0, -1024)), [': truncated']],
    ['cut in a file', gzipSync(bytes.subarray(0, 600)), [': truncated']],
    [
      'with something behind',
      gzipSync(Buffer.concat([bytes, Buffer.from('x')])),
      [': hidden-data'],
    ],
    ['in a gzip with something behind', Buffer.concat([packed, Buffer.from('x')]), [': damaged']],
    ['in a gzip with zeros behind', Buffer.concat([packed, Buffer.alloc(9)]), [': damaged']],
    ['in a gzip that was cut off', packed.subarray(0, -1), [': damaged']],
    ['with a bomb', tarWith({ path: 'good/a', content: '\0'.repeat(1_000_000) }), [': bomb']],
    ['that is none', gzipSync('text'), [': damaged']],
    ['that is packed twice', gzipSync(packed), [': damaged']],
    ['with a broken header', gzipSync(Buffer.alloc(2048, 'x')), [': damaged']],
    [
      'with a folder that has content',
      tarWith({ path: 'a', type: 'Directory', content: 'a' }),
      [': damaged'],
    ],
    [
      'with a link that has content',
      tarWith({ path: 'good/a', type: 'SymbolicLink', linkpath: 'b', content: 'a' }),
      [': damaged'],
    ],
    ['with a size that lies', tarWith({ path: 'good/a', size: 5000 }), [': truncated']],
  ])('%s is rejected', async (_, bytes, faults) => {
    expect(await faultsOf(bytes)).toEqual(faults);
  });

  test('is read with long names, in UTF-8, with or without a leading dot', async () => {
    const path = `./good/${'long/'.repeat(30)}\u00fc.md`;
    const dots = rawTar([
      { path: './', type: 'Directory' },
      { path: './good/SKILL.md', content: main },
      { path, content: 'x', mode: 0o755 },
    ]);
    const { skills } = await unpackArchive(dots, {});
    expect(skills[0]?.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      [path.slice('./good/'.length), true],
    ]);
  });
});

describe('links', () => {
  const link = 0o120777;
  test('inside a skill become copies of their targets', async () => {
    const files = { 'SKILL.md': main, 'a.md': 'text', 'sub/b.md': 'text', 'c.md': 'text' };
    const zip = zipWith(
      { name: 'good/a.md', content: 'text', mode: 0o100755 },
      { name: 'good/sub/b.md', content: '../c.md', mode: link },
      { name: 'good/c.md', content: 'a.md', mode: link },
    );
    const tar = tarWith(
      { path: 'good/a.md', content: 'text', mode: 0o755 },
      { path: 'good/sub/b.md', linkpath: '../a.md', type: 'SymbolicLink' },
      { path: 'good/c.md', linkpath: 'good/a.md', type: 'Link' },
    );
    expect(await textsOf(zip)).toEqual({ good: files });
    expect(await textsOf(tar)).toEqual({ good: files });
    const { skills } = await unpackArchive(zip, {});
    expect(skills[0]?.files.map(({ executable }) => executable)).toEqual([false, true, true, true]);
  });

  test.each([
    ['../../etc/passwd', 'link-outside'],
    ['/etc/passwd', 'link-outside'],
    ['..\\x', 'link-outside'],
    ['../other/SKILL.md', 'link-outside'],
    ['../README.md', 'link-outside'],
    ['missing.md', 'link-broken'],
    ['a.md', 'link-broken'],
    ['sub', 'link-broken'],
  ])('to %s are rejected', async (target, code) => {
    const zip = zipWith(
      { name: 'good/a.md', content: target, mode: link },
      { name: 'good/sub/b.md' },
      { name: 'other/SKILL.md', content: main },
      { name: 'README.md' },
    );
    expect(await faultsOf(zip)).toEqual([`good/a.md: ${code}`]);
    for (const type of ['SymbolicLink', 'Link'] as const) {
      const tar = tarWith({ path: 'good/a.md', linkpath: target, type });
      expect(await faultsOf(tar)).toEqual([expect.stringMatching(/^good\/a\.md: link-/)]);
    }
  });

  test('outside of skills are skipped, wherever they lead', async () => {
    for (const target of ['a', '../a', '/etc/passwd']) {
      const zip = zipWith({ name: 'b', content: target, mode: link });
      const tar = tarWith({ path: 'b', linkpath: target, type: 'SymbolicLink' });
      for (const archive of [zip, tar]) {
        const { leftOut } = await unpackArchive(archive, {});
        expect(leftOut).toEqual([{ path: 'b', files: 1, why: 'link' }]);
      }
    }
  });

  test('replaces a SKILL.md that contains only a path with the file it names', async () => {
    const texts = await textsOf(
      rawZip([
        { name: 'skills/good/SKILL.md', content: '../../shared/good.md\n' },
        { name: 'skills/lost/SKILL.md', content: '../nowhere.md' },
        { name: 'shared/good.md', content: main },
      ]),
    );
    expect(texts).toEqual({ good: { 'SKILL.md': main }, lost: { 'SKILL.md': '../nowhere.md' } });
  });
});

describe('portable JSON', () => {
  test.each<[string, Buffer, string[]]>([
    ['that was cut off', portable({}).subarray(0, -1), [': damaged']],
    ['of another version', portable({}, { formatVersion: 3 }), [': portable-version']],
    ['without content', Buffer.from('{"skill":{}}'), ['content: portable-field']],
    [
      'with path traversal',
      portable({ files: [{ path: '../a', content: '' }] }),
      ['../a: path-outside'],
    ],
    [
      'with invalid base64',
      portable({ files: [{ path: 'a', content: 'a*b=', encoding: 'base64' }] }),
      ['a: base64'],
    ],
    [
      'with truncated base64',
      portable({ files: [{ path: 'a', content: 'YWJ', encoding: 'base64' }] }),
      ['a: base64'],
    ],
    [
      'in an unknown encoding',
      portable({ files: [{ path: 'a', content: '', encoding: 'rot13' }] }),
      ['files.0.encoding: portable-field'],
    ],
    ['with a lone surrogate', portable({ files: [{ path: 'a', content: '\ud800' }] }), ['a: text']],
    [
      'with a second SKILL.md',
      portable({ files: [{ path: 'skill.md', content: '' }] }),
      ['skill.md: name-collision'],
    ],
    [
      'with two files of a name',
      portable({
        files: [
          { path: 'a', content: '' },
          { path: 'a', content: '' },
        ],
      }),
      ['a: name-twice'],
    ],
    ['in latin1', Buffer.from('{"skill":{"content":"\u00e4"}}', 'latin1'), [': damaged']],
  ])('%s is rejected', async (_, bytes, faults) => {
    expect(await faultsOf(bytes)).toEqual(faults);
  });

  test.each<[string, Buffer]>([
    ['formatVersion', portable({})],
    ['schemaVersion', portable({}, { schemaVersion: 2 })],
    ['no version', portable({}, {})],
    ['the skill at the top', Buffer.from(JSON.stringify({ content: main }))],
    ['a byte order mark and blanks', Buffer.from(`\ufeff\n ${portable({}).toString()}`)],
  ])('is read with %s', async (_, bytes) => {
    expect(await textsOf(bytes, 'some.json')).toEqual({ good: { 'SKILL.md': main } });
  });

  test('provides its folder name, and files as text or base64', async () => {
    const files = [
      { path: 'a.md', content: 'text', contentType: 'text/markdown' },
      {
        path: 'b/c.sh',
        content: Buffer.from('run').toString('base64'),
        encoding: 'base64',
        executable: true,
      },
    ];
    const { skills } = await unpackArchive(portable({ slug: 'better', files }), {});
    expect(skills[0]?.folder).toBe('better');
    expect(skills[0]?.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['a.md', false],
      ['b/c.sh', true],
    ]);
  });

  const fields = {
    name: 'Jira Triage',
    slug: 'jira-triage',
    description: 'Sorts: "tickets"',
    category: 'ops',
    tags: ['jira', 'ops'],
    version: '1.0.0',
    requiresTools: ['bash'],
  };
  const contentOf = async (content: string) => {
    const texts = await textsOf(portable({ ...fields, content }));
    return Object.values(texts['jira-triage'] ?? {})[0];
  };

  test('creates frontmatter from its fields if there is none', async () => {
    expect(await contentOf('# Triage\n')).toBe(
      `---
name: "jira-triage"
description: "Sorts: \\"tickets\\""
metadata:
  display-name: "Jira Triage"
  category: "ops"
  tags: "jira, ops"
  version: "1.0.0"
  requires-tools: "bash"
---

# Triage
`,
    );
  });

  test('adds its fields to the frontmatter without changing existing ones', async () => {
    const text =
      '---\nname: other\nmetadata:\n  version: "2"\ntags: [a]\nrequires_tools: x\n---\n\nText\n';
    expect(await contentOf(text)).toBe(
      text
        .replace('\n---\n\n', '\ndescription: "Sorts: \\"tickets\\""\n---\n\n')
        .replace('metadata:', 'metadata:\n  display-name: "Jira Triage"\n  category: "ops"'),
    );
    const complete = text
      .replace('name: other', 'name: Jira Triage')
      .replace('tags', 'category: c\r\ndescription: d\r\ntags');
    expect(await contentOf(complete)).toBe(complete);
    const script = '---js\nprocess.exit(1)\n---\n';
    expect(await contentOf(script)).toBe(script);
  });
});

describe('skills in an archive', () => {
  test('are found in one top folder, several folders, or the root', async () => {
    const other = skillFile('other', 'Does other.');
    expect(await textsOf(zipWith())).toEqual({ good: { 'SKILL.md': main } });
    expect(
      await textsOf(rawZip([{ name: 'SKILL.md', content: main }, { name: 'a/b.md' }])),
    ).toEqual({
      good: { 'SKILL.md': main, 'a/b.md': '' },
    });
    const repository = rawZip([
      { name: 'repo-main/', mode: 0o040755 },
      { name: 'repo-main/README.md' },
      { name: 'repo-main/docs/deep/a.md' },
      { name: 'repo-main/docs/b.md' },
      { name: 'repo-main/skills/good/SKILL.md', content: main },
      { name: 'repo-main/skills/other/SKILL.md', content: other },
      { name: 'repo-main/skills/other/nested/SKILL.md', content: main },
    ]);
    const { skills, leftOut } = await unpackArchive(repository, {});
    expect(skills.map(({ root, folder }) => [root, folder])).toEqual([
      ['repo-main/skills/good', 'good'],
      ['repo-main/skills/other', 'other'],
    ]);
    expect(skills[1]?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'nested/SKILL.md']);
    expect(leftOut).toEqual([
      { path: 'repo-main/README.md', files: 1, why: 'no-skill' },
      { path: 'repo-main/docs/', files: 2, why: 'no-skill' },
    ]);
  });

  test('in the root are named after the frontmatter, otherwise after the file', async () => {
    const nameless = rawZip([{ name: 'SKILL.md', content: 'Text' }]);
    expect(
      Object.keys(await textsOf(rawZip([{ name: 'SKILL.md', content: main }]), 'x.zip')),
    ).toEqual(['good']);
    expect(Object.keys(await textsOf(nameless, 'My Skill.tar.gz'))).toEqual(['my-skill']);
    expect(Object.keys(await textsOf(nameless))).toEqual(['skill']);
  });

  test('normalizes the case of SKILL.md', async () => {
    const zip = rawZip([{ name: 'a/Skill.MD', content: main }, { name: 'a/b/skill.md' }]);
    expect(await textsOf(zip)).toEqual({ a: { 'SKILL.md': main, 'b/skill.md': '' } });
  });

  test('reads a zip with backslashes between folders', async () => {
    const zip = rawZip([
      { name: 'good\\SKILL.md', content: main },
      { name: 'good\\references\\a.md', content: 'A' },
    ]);
    expect(await textsOf(zip)).toEqual({ good: { 'SKILL.md': main, 'references/a.md': 'A' } });
  });

  test.each([
    ['good\\..\\..\\evil.md'],
    ['..\\evil.md'],
    ['C:\\evil.md'],
    ['\\\\host\\evil.md'],
    ['good\\\\evil.md'],
  ])('rejects a zip with backslashes and %j', async (name) => {
    const zip = rawZip([{ name: 'good\\SKILL.md', content: main }, { name }]);
    expect(await faultsOf(zip)).toEqual([`${name}: path-backslash`]);
  });

  test('skips and reports files that systems leave behind', async () => {
    const { skills, leftOut } = await unpackArchive(
      zipWith(
        { name: '__MACOSX/good/._SKILL.md', content: 'x', crc: 1 },
        { name: 'good/.DS_Store' },
        { name: 'good/Thumbs.db' },
        { name: 'good/.git/config' },
        { name: 'good/.git/HEAD' },
        { name: 'good/a/node_modules/b/SKILL.md' },
        { name: 'good/__pycache__/a.pyc' },
        { name: 'good/._SKILL.md' },
        { name: 'good/SKILL.md~' },
        { name: 'good/.SKILL.md.swp' },
        { name: 'good/.#SKILL.md' },
        { name: 'good/~$plan.docx' },
        { name: 'good/Desktop.ini' },
        { name: 'good/..2026_11_28_10_00/SKILL.md' },
      ),
      {},
    );
    expect(skills.map(({ files }) => files.map(({ path }) => path))).toEqual([['SKILL.md']]);
    expect(leftOut.map(({ path }) => path)).toEqual([
      '__MACOSX/',
      'good/.DS_Store',
      'good/Thumbs.db',
      'good/.git/',
      'good/a/node_modules/',
      'good/__pycache__/',
      'good/._SKILL.md',
      'good/SKILL.md~',
      'good/.SKILL.md.swp',
      'good/.#SKILL.md',
      'good/~$plan.docx',
      'good/Desktop.ini',
      'good/..2026_11_28_10_00/',
    ]);
  });

  test('accepts a skill with 512 files, and rejects one with 513', async () => {
    const files = Array.from({ length: 511 }, (_, index) => ({ name: `good/${index}`, method: 0 }));
    expect((await unpackArchive(zipWith(...files), {})).skills[0]?.files).toHaveLength(512);
    expect(await faultsOf(zipWith(...files, { name: 'good/x' }))).toEqual(['good: too-many-files']);
  });

  test('rejects a skill of more than 16 MiB, including links', async () => {
    const content = Buffer.alloc(4 * 1024 * 1024);
    const four = ['a', 'b', 'c'].map((name) => ({ name: `good/${name}`, content, method: 0 }));
    expect(await faultsOf(zipWith(...four))).toEqual([]);
    const link = { name: 'good/d', content: 'a', mode: 0o120777 };
    expect(await faultsOf(zipWith(...four, link))).toEqual(['good: skill-too-large']);
  });

  test('accepts skills next to a large file', async () => {
    const content = Buffer.alloc(5 * 1024 * 1024);
    const { leftOut } = await unpackArchive(zipWith({ name: 'film.mp4', content, method: 0 }), {});
    expect(leftOut).toEqual([{ path: 'film.mp4', files: 1, why: 'too-large' }]);
  });

  test('treats a nested zip like any other file', async () => {
    const { skills } = await unpackArchive(
      zipWith({ name: 'good/in.zip', content: zipWith({ name: '../evil' }) }),
      {},
    );
    expect(skills[0]?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'in.zip']);
  });

  test('accepts a bare SKILL.md as an archive of one file', async () => {
    expect(await textsOf(Buffer.from(main), 'whatever.md')).toEqual({ good: { 'SKILL.md': main } });
    const utf16 = Buffer.from(`\ufeff${main}`, 'utf16le');
    expect((await unpackArchive(utf16, {})).format).toBe('skill.md');
    expect(await faultsOf(Buffer.from([1, 0, 2]))).toEqual([': unknown-format']);
    expect(await faultsOf(Buffer.from('<html>Not found</html>'), 'a.zip')).toEqual([
      ': unknown-format',
    ]);
    expect(await faultsOf(Buffer.alloc(4 * 1024 * 1024 + 1, 'a'))).toEqual([
      'SKILL.md: file-too-large',
    ]);
  });
});

describe('a repository', () => {
  test('is read whatever is outside of its skills', async () => {
    const zip = zipWith(
      { name: 'aux', content: 'a' },
      { name: 'docs/README.md' },
      { name: 'docs/readme.md' },
      { name: `docs/${'long'.repeat(1000)}` },
      { name: 'docs/damaged', content: 'a', crc: 1 },
      { name: 'docs/secret', flags: 1 },
      { name: 'docs/zeros', content: Buffer.alloc(3 * 1024 * 1024), size: 9 },
    );
    const tar = tarWith({ path: 'pipe', type: 'FIFO' }, { path: 'docs/a' }, { path: 'docs/A' });
    for (const archive of [zip, tar]) {
      expect(await textsOf(archive)).toEqual({ good: { 'SKILL.md': main } });
    }
  });

  test('brings its other skills if one has an error', async () => {
    const zip = zipWith(
      { name: 'bad/SKILL.md', content: main },
      { name: 'bad/con' },
      { name: 'torn/SKILL.md', content: main, crc: 1 },
    );
    const { skills, rejected } = await unpackArchive(zip, { keepsOthers: true });
    expect(skills.map(({ root }) => root)).toEqual(['good']);
    expect(rejected.map(({ root, reason }) => `${root}: ${reason}`)).toEqual([
      expect.stringMatching(/^bad: "bad\/con": /),
      'torn: "torn/SKILL.md": The content does not match its checksum.',
    ]);
    await expect(unpackArchive(zip, {})).rejects.toMatchObject({ issues: { length: 2 } });
  });

  test('has at most 512 MiB, what is outside of its skills included', async () => {
    const size = 300 * 1024 * 1024;
    const film = { content: Buffer.alloc(4 * 1024 * 1024), method: 0, size };
    const zip = zipWith({ name: 'a.mp4', ...film }, { name: 'b.mp4', ...film });
    expect(await faultsOf(zip)).toEqual([': too-large']);
  });
});

describe('invalid archives', () => {
  test('report all issues together, up to a hundred', async () => {
    const names = ['../a', 'good/con', 'good/x', 'good/x'].map((name) => ({ name }));
    const zip = zipWith(...names, { name: 'good/y', content: 'y', crc: 1 });
    expect((await faultsOf(zip)).sort()).toEqual([
      '../a: path-outside',
      'good/con: path-reserved-name',
      'good/x: name-twice',
      'good/y: checksum',
    ]);
    const many = Array.from({ length: 150 }, (_, index) => ({ name: `../${index}` }));
    await expect(unpackArchive(zipWith(...many), {})).rejects.toMatchObject({
      message: expect.stringContaining('150 things are wrong with it, of which 100 are listed.'),
      issues: { length: 100 },
    });
  });

  test('rejects a zip truncated at any position', async () => {
    const zip = zipWith({ name: 'good/a.md', content: 'text', descriptor: 'signed', flags: 8 });
    expect(await faultsOf(zip)).toEqual([]);
    for (let length = 0; length < zip.length; length += 1) {
      expect(await faultsOf(zip.subarray(0, length)), `${length}`).not.toEqual([]);
    }
  });

  test('rejects a tar truncated at any position', async () => {
    const tar = tarWith({ path: 'good/a.md', content: 'text' });
    for (let length = 0; length < tar.length; length += 1) {
      expect(await faultsOf(tar.subarray(0, length)), `${length}`).not.toEqual([]);
    }
  });

  test('rejects a zip with any changed byte in its directory, or reads the same content', async () => {
    const zip = zipWith({ name: 'good/a.md', content: 'text' });
    const texts = await textsOf(zip);
    const start = zip.readUInt32LE(zip.length - 6);
    let taken = 0;
    for (let at = start; at < zip.length; at += 1) {
      for (const change of [0x01, 0x10, 0x40, 0x80, 0xff]) {
        const changed = Buffer.from(zip);
        changed[at] = (changed[at] ?? 0) ^ change;
        if ((await faultsOf(changed)).length === 0) {
          taken += 1;
          expect(await textsOf(changed), `${at} ^ ${change}`).toEqual(texts);
        }
      }
    }
    expect(taken).toBeGreaterThan(0);
  });

  test('accepts or rejects arbitrary bytes without crashing', async () => {
    const sound = [zipWith({ name: 'good/a.md', content: 'text' }), tarWith(), portable({})];
    const damaged = fc
      .tuple(fc.constantFrom(...sound), fc.nat(), fc.uint8Array({ maxLength: 20 }))
      .map(([bytes, at, bad]) => {
        const start = at % bytes.length;
        const after = bytes.subarray(start + bad.length);
        return Buffer.concat([bytes.subarray(0, start), bad, after]);
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.uint8Array().map(Buffer.from)), async (bytes) => {
        await faultsOf(Buffer.from(bytes));
      }),
      { numRuns: 500 },
    );
  });
});

test('accepts zips of other tools, with descriptors after the data, folders and comments', async () => {
  const zip = rawZip(
    [
      { name: 'good/', mode: 0o040755, method: 0 },
      { ...skillEntry, flags: 8, descriptor: 'signed' },
      { name: 'good/a.md', content: 'a', flags: 8, descriptor: 'plain' },
      { name: 'good/b.md', content: 'b', flags: 8 },
      { name: 'good/c.md', content: 'c', method: 0, mode: 0 },
    ],
    { comment: 'of a commit' },
  );
  expect(Object.keys((await textsOf(zip)).good ?? {})).toEqual([
    'SKILL.md',
    'a.md',
    'b.md',
    'c.md',
  ]);
  const packer = new AdmZip();
  packer.addFile('good/SKILL.md', Buffer.from(main));
  expect(await textsOf(packer.toBuffer())).toEqual({ good: { 'SKILL.md': main } });
});
