import { describe, expect, test } from 'vitest';
import { hasPython, runText, sandbox } from '../../../testing/sandbox.ts';

describe.runIf(sandbox)('a script in a sandbox', () => {
  test('gets its arguments, its input, its files and the files of its skill', async () => {
    const text = 'printf "%s|" "$@"; cat; cat in/table.csv /skill/references/NOTES.md; pwd';
    const { stdout, exitCode, end } = await runText('sh', text, {
      args: ['one', 'two words', '$HOME', ''],
      stdin: 'typed\n',
      files: [{ path: 'table.csv', bytes: Buffer.from('1,2\n') }],
      skill: {
        id: 'a-skill',
        files: [{ path: 'references/NOTES.md', bytes: Buffer.from('# Notes\n') }],
      },
    });
    expect([end, exitCode]).toEqual(['exit', 0]);
    expect(stdout).toBe('one|two words|$HOME||typed\n1,2\n# Notes\n/job\n');
  });

  test('reports how it ended', async () => {
    const failed = await runText('sh', 'echo no >&2; exit 7');
    expect(failed).toMatchObject({ end: 'exit', exitCode: 7, stderr: 'no\n', stdout: '' });
    const crashed = await runText('sh', 'kill -SEGV $$');
    expect(crashed).toMatchObject({ end: 'exit', exitCode: 139, signal: 'SIGSEGV' });
  });

  test('runs in the interpreter of its language', async () => {
    const node = await runText('node', 'console.log([1, 2].map((each) => each * 2).join())');
    expect(node.stdout).toBe('2,4\n');
    const bash = await runText('sh', '#!/usr/bin/env bash\na=(1 2 3); echo "${#a[@]}"');
    expect(bash.stdout === '3\n' || sandbox?.runtimes.sh === '').toBe(true);
  });

  test.runIf(hasPython)('runs Python if it is installed', async () => {
    const text = 'import json, sqlite3, threading, tempfile; print(json.dumps({"a": 1}))';
    expect(await runText('python', text)).toMatchObject({ stdout: '{"a": 1}\n', stderr: '' });
  });

  test('provides /dev/stdin, /dev/stdout and /dev/stderr, and a large input', async () => {
    const stdin = 'x'.repeat(300_000);
    const text = 'echo out >/dev/stdout; echo err >/dev/stderr; wc -c </dev/stdin';
    expect(await runText('sh', text, { stdin })).toMatchObject({
      stdout: 'out\n300000\n',
      stderr: 'err\n',
    });
  });

  test('returns the files in its work folder', async () => {
    const text =
      'echo result >result.txt; mkdir -p charts/deep; echo 1 >charts/deep/a.csv; echo 2 >/tmp/b';
    const { files, leftOut } = await runText('sh', text, {
      files: [{ path: 'in.txt', bytes: Buffer.from('given') }],
    });
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]).sort()).toEqual([
      ['charts/deep/a.csv', '1\n'],
      ['result.txt', 'result\n'],
    ]);
    expect(leftOut).toEqual([]);
  });

  test('returns no links, pipes, sockets, hidden files or unsafe names', async () => {
    const text = `
ln -s /etc/passwd link; mkfifo pipe; ln good hard 2>/dev/null
echo x >.hidden; echo x >'-rf'; echo x >"$(printf 'new\\nline')"; echo x >"$(printf 'bad\\377')"
echo x >"$(printf 'right\\342\\200\\256left')"; echo x >'a"b'; echo x >'CON .'; echo x >good.txt
mkdir -p a/b/c/d/e/f/g/h/i; echo x >a/b/c/d/e/f/g/h/i/deep; echo y >GOOD.txt`;
    const { files, leftOut } = await runText('sh', text);
    expect(files).toHaveLength(1);
    expect(files[0]?.path.toLowerCase()).toBe('good.txt');
    expect(new Set(leftOut.map(({ why }) => why))).toEqual(new Set(['kind', 'name']));
    expect(leftOut.length).toBeGreaterThanOrEqual(9);
    expect(leftOut.every(({ path }) => /^[\p{L}\p{N} ._+,=@()/?-]*$/u.test(path))).toBe(true);
  });

  test('returns at most 32 files, and none that is too large', async () => {
    const text = `
head -c 11000000 /dev/zero >large.bin
for i in $(seq 1 40); do echo $i >file-$i; done`;
    const { files, leftOut } = await runText('sh', text);
    expect(files).toHaveLength(32);
    const reasons = leftOut.map(({ why }) => why);
    expect(reasons.filter((why) => why === 'too large')).toHaveLength(1);
    expect(reasons.filter((why) => why === 'too many')).toHaveLength(8);
  });

  test('returns at most 32 MiB', async () => {
    const text = 'for i in 1 2 3 4 5; do head -c 9000000 /dev/zero >part-$i; done';
    const { files, leftOut } = await runText('sh', text);
    expect(files).toHaveLength(3);
    expect(leftOut.map(({ why }) => why)).toEqual(['too many', 'too many']);
  });

  test('rejects path traversal in file names', async () => {
    const run = (path: string) =>
      runText('sh', 'true', { skill: { id: 'x', files: [{ path, bytes: Buffer.from('x') }] } });
    for (const path of ['../out', '/etc/passwd', 'a/../../b', '', 'a//b']) {
      await expect(async () => run(path)).rejects.toThrow('is no name of a file');
    }
  });
});
