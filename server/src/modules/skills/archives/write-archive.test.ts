import type { PackedFile } from '@knowhow/skill-format';
import AdmZip from 'adm-zip';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skillFile } from '../../../testing/skill-folder.ts';
import { readArchive } from './read-archive.ts';
import { unpackArchive } from './unpack-archive.ts';
import { type ArchiveFormat, writeArchive } from './write-archive.ts';

const formats: ArchiveFormat[] = ['zip', 'tar.gz', 'json'];

function packed(path: string, content: string | Uint8Array, executable = false): PackedFile {
  return { path, bytes: Buffer.from(content as string), executable };
}

const files = [
  packed('SKILL.md', skillFile('good', 'Does good.')),
  packed('scripts/run.sh', '#!/bin/sh\n', true),
  packed('assets/\u00fc/logo.png', Buffer.from([0x89, 0x50, 0xff, 0x00])),
  packed('empty.txt', ''),
];

/** Comparable, whatever kind of array the bytes are in. */
function plain(list: readonly PackedFile[]): unknown[] {
  return list
    .map(({ path, bytes, executable }) => [path, Buffer.from(bytes).toString('hex'), executable])
    .sort();
}

describe.each(formats)('as %s', (format) => {
  test('round-trips files byte for byte, with executable bits', async () => {
    const archive = await writeArchive('good', files, format);
    const { skills, leftOut, format: found } = await readArchive(archive, {});
    expect(found).toBe(format);
    expect(leftOut).toEqual([]);
    expect(skills.map(({ folder }) => folder)).toEqual(['good']);
    expect(plain(skills[0]?.files ?? [])).toEqual(plain(files));
  });

  test('round-trips arbitrary files', async () => {
    // A name with this prefix is never a device name.
    const name = fc.stringMatching(/^f[a-z\u00e0-\u00fc]{0,29}$/);
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.constantFrom(
        Buffer.from('\ufeffwith a mark'),
        Buffer.from('a\r\nb\rc'),
        Buffer.alloc(300_000),
        Buffer.from('---\nname: x\n---\n'),
        Buffer.from('---\ndescription: x\ntags: []\nmetadata: {a: b}\n---\nText'),
        Buffer.from('Only text'),
      ),
    );
    const file = fc.record({ path: name, bytes: content, executable: fc.boolean() });
    const skill = fc
      .tuple(file, fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 8 }))
      .map(([main, more]) => [
        { ...main, path: 'SKILL.md' },
        ...more.map((each) => ({ ...each, path: `more/${each.path}` })),
      ]);
    await fc.assert(
      fc.asyncProperty(skill, async (packedFiles) => {
        const archive = await writeArchive('good', packedFiles, format);
        const { skills } = await unpackArchive(archive, {});
        expect(plain(skills[0]?.files ?? [])).toEqual(plain(packedFiles));
      }),
      { numRuns: 100 },
    );
  });

  test('round-trips the longest path below the longest name', async () => {
    const long = [packed('SKILL.md', 'x'), packed(`${'a/'.repeat(127)}bc`, 'y')];
    const archive = await writeArchive('n'.repeat(64), long, format);
    const { skills } = await unpackArchive(archive, {});
    expect(plain(skills[0]?.files ?? [])).toEqual(plain(long));
  });
});

test.each(['zip', 'tar.gz'] as const)(
  'creates the same %s for the same files in any order',
  async (format) => {
    const one = await writeArchive('good', files, format);
    const other = await writeArchive('good', files.toReversed(), format);
    expect(one.equals(other)).toBe(true);
  },
);

test('creates a zip with one top folder and executable bits', async () => {
  const zip = new AdmZip(await writeArchive('good', files, 'zip'));
  expect(zip.getEntries().map(({ entryName, attr }) => [entryName, attr >>> 16])).toEqual([
    ['good/SKILL.md', 0o100644],
    ['good/assets/\u00fc/logo.png', 0o100644],
    ['good/empty.txt', 0o100644],
    ['good/scripts/run.sh', 0o100755],
  ]);
});

test('repeats the frontmatter in portable JSON and stores text as text', async () => {
  const text = `---
name: Jira Triage
description: Sorts tickets.
category: ops
tags: [jira, ops]
requires-tools: bash, git
metadata:
  version: "1.0.0"
---
# Triage
`;
  const archive = await writeArchive('jira', [packed('SKILL.md', text), ...files.slice(1)], 'json');
  expect(JSON.parse(archive.toString())).toEqual({
    formatVersion: 2,
    skill: {
      name: 'Jira Triage',
      slug: 'jira',
      description: 'Sorts tickets.',
      category: 'ops',
      tags: ['jira', 'ops'],
      version: '1.0.0',
      requiresTools: ['bash', 'git'],
      content: text,
      files: [
        {
          path: 'assets/\u00fc/logo.png',
          content: 'iVD/AA==',
          encoding: 'base64',
          contentType: 'application/octet-stream',
        },
        { path: 'empty.txt', content: '', contentType: 'text/plain' },
        {
          path: 'scripts/run.sh',
          content: '#!/bin/sh\n',
          contentType: 'application/x-sh',
          executable: true,
        },
      ],
    },
    metadata: { exportedAt: expect.stringMatching(/^\d{4}-.*Z$/), exportedFrom: 'knowhow' },
  });
});
