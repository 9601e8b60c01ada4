import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../server/src/testing/cpu-time.ts';
import { inspectFiles } from './inspect-files.ts';

function inspect(path: string, content: string | Uint8Array, executable = false) {
  const [inspected] = inspectFiles([{ path, bytes: Buffer.from(content as string), executable }]);
  return inspected;
}

function diagnosticsOn(content: string | Uint8Array, path = 'a.md') {
  return inspect(path, content)?.diagnostics ?? [];
}

test('reports the size and no diagnostics of a plain file', () => {
  expect(inspect('a/b.md', 'Text for \u{1f469}\u200d\u{1f4bb} and \u00fcmlauts.\n')).toEqual({
    path: 'a/b.md',
    size: 35,
    executable: false,
    script: false,
    diagnostics: [],
  });
});

test.each([
  ['a.py', 'x', false],
  ['a/B.SH', 'x', false],
  ['tool', '#!/usr/bin/env node\n', false],
  ['tool', 'x', true],
])(
  'recognizes %s as a script by name, first line, or executable bit',
  (path, content, executable) => {
    expect(inspect(path, content, executable)).toMatchObject({ script: true, executable });
  },
);

describe('hidden characters', () => {
  test('are counted, with the first line', () => {
    expect(diagnosticsOn('\ufeffone\ntwo\u200b\nthree\u202e\u{e0041}\n')).toMatchObject([
      {
        code: 'hidden-characters',
        message: 'It contains 3 invisible characters, the first in line 2.',
        line: 2,
      },
    ]);
  });

  test('are found in a name', () => {
    expect(diagnosticsOn('x', 'a\u202egpj.sh')).toMatchObject([{ code: 'hidden-characters' }]);
  });

  test('are not searched in binary files', () => {
    expect(diagnosticsOn(Buffer.concat([Buffer.from('\u200b'), Buffer.alloc(1)]))).toMatchObject(
      [],
    );
  });
});

describe('possible secrets', () => {
  const long = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
  test.each([
    ['-----BEGIN RSA PRIVATE KEY-----', 'a private key'],
    ['-----BEGIN PRIVATE KEY-----', 'a private key'],
    ['id = AKIAIOSFODNN7EXAMPLE', 'an AWS access key: AKIA…'],
    [`ghp_${long}`, 'a GitHub token: ghp_…'],
    [`github_pat_${long}`, 'a GitHub token: gith…'],
    [`OPENAI_API_KEY=sk-proj-${long}`, 'an API key: sk-p…'],
    ['xoxb-1234567890-abcdef', 'a Slack token: xoxb…'],
    [`AIza${long.slice(0, 35)}`, 'a Google API key: AIza…'],
    [`"api_key": "${long}"`, 'a secret: a1B2…'],
    [`api_key = "sk-proj-${long}"`, 'an API key: sk-p…'],
    [`CLIENT_SECRET_KEY = '${long}'`, 'a secret: a1B2…'],
  ])('%s', (secret, description) => {
    const diagnostics = diagnosticsOn(`First line\n${secret}\n${secret}`);
    expect(diagnostics).toMatchObject([
      {
        code: 'looks-like-secret',
        message: `Line 2 contains what looks like ${description}`,
        line: 2,
      },
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain(long.slice(0, 8));
  });

  test.each([
    'api_key = "your-api-key-goes-here"',
    'api_key = "xxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
    'token: "$GITHUB_TOKEN"',
    'class="sk-folding-cube-animated-box"',
    'the secret is to begin with the end',
    'task-1234567890-1234567890-abcdefghijkl',
  ])('do not include: %s', (text) => {
    expect(diagnosticsOn(text)).toMatchObject([]);
  });

  test('are searched in linear time', () => {
    const took = cpuTime(() => {
      for (const piece of ['sk-', 'token', 'api_key = "', 'AKIA', '-----BEGIN A ']) {
        diagnosticsOn(piece.repeat(Math.ceil(2_000_000 / piece.length)));
      }
    });
    expect(took).toBeLessThan(5000);
  });
});

test('reports a nested archive, but not an office document', () => {
  const zip = Buffer.from('PK\u0003\u0004');
  expect(diagnosticsOn(zip, 'a.bin')).toMatchObject([{ code: 'nested-archive' }]);
  expect(diagnosticsOn(Buffer.from([0x1f, 0x8b, 8]), 'a.tgz')).toMatchObject([
    { code: 'nested-archive' },
  ]);
  expect(diagnosticsOn(zip, 'template.docx')).toMatchObject([]);
});

test('reports a text of several pages', () => {
  expect(diagnosticsOn('a\n'.repeat(100_000))).toMatchObject([
    {
      code: 'long-text',
      message: expect.stringMatching(/^It is long \(\d+ kB\); a model reads it in 4 parts\.$/),
    },
  ]);
});
