import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { hasPython, runText, sandbox } from '../../../testing/sandbox.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const mebibyte = 1024 * 1024;

/** Number of processes on this machine, of any user, whose command line contains a text. */
function processesWith(text: string): number {
  const listed = execFileSync('ps', ['-eo', 'args']).toString();
  return listed.split('\n').filter((line) => line.includes(text) && !line.includes('ps -eo'))
    .length;
}

describe.runIf(sandbox)('a script that exceeds its limits', () => {
  test('cannot exceed its process limit', async () => {
    const text = 'i=0; while [ $i -lt 200 ]; do sleep 100.0625 & i=$((i+1)); done; echo all';
    const { stdout, stderr } = await runText('sh', text, { limits: { seconds: 20 } });
    expect(stdout).not.toContain('all');
    expect(stderr).toMatch(/fork/);
    await waitFor(() => processesWith('sleep 100.0625') === 0);
  });

  test('is killed with all its processes (fork bomb)', async () => {
    // The main shell forks only once, before the bomb: a shell whose fork fails would end itself.
    const bomb = 'bomb() { bomb & bomb & sleep 100.125; }; bomb & while :; do :; done';
    const { end } = await runText('sh', bomb, { limits: { seconds: 2 } });
    expect(end).toBe('time');
    await waitFor(() => processesWith('sleep 100.125') === 0);
  });

  test('is killed at its timeout, whatever signals it ignores', async () => {
    const text = "trap '' TERM INT HUP QUIT XCPU ALRM; while :; do :; done";
    const { end, exitCode, ms } = await runText('sh', text, { limits: { seconds: 1 } });
    expect([end, exitCode]).toEqual(['time', null]);
    expect(ms).toBeLessThan(10_000);
  });

  test('ends when the user stops it', async () => {
    const controller = new AbortController();
    const running = runText('sh', 'sleep 100.25', { signal: controller.signal });
    await waitFor(() => processesWith('sleep 100.25') > 0);
    controller.abort();
    expect((await running).end).toBe('stopped');
    await waitFor(() => processesWith('sleep 100.25') === 0);
  });

  test('leaves no background process behind', async () => {
    const text = '(setsid sh -c "trap \'\' HUP TERM; sleep 100.375" >/dev/null 2>&1 &) ; echo done';
    const { stdout, exitCode } = await runText('sh', text);
    expect([stdout, exitCode]).toEqual(['done\n', 0]);
    await waitFor(() => processesWith('sleep 100.375') === 0);
  });

  test.runIf(hasPython)('cannot exceed the memory limit of one process', async () => {
    const text = `
try: hoard = bytearray(400 * 1024 * 1024); print('got it')
except MemoryError: print('refused')`;
    const { stdout } = await runText('python', text, { limits: { memory: 128 * mebibyte } });
    expect(stdout).toBe('refused\n');
  });

  test.runIf(hasPython)('is killed if its children together use too much memory', async () => {
    const text = `
import os, time
for _ in range(12):
    if os.fork() == 0:
        hoard = bytearray(b'x' * (60 * 1024 * 1024)); time.sleep(30); os._exit(0)
time.sleep(30)`;
    const { end } = await runText('python', text, {
      limits: { memory: 160 * mebibyte, seconds: 30 },
    });
    expect(end).toBe('memory');
  });

  test('cannot exceed the size of its work folder', async () => {
    const text =
      'for at in /job /tmp /dev/shm; do i=0; while head -c 4000000 /dev/zero >$at/fill-$i; do i=$((i+1)); done; done; df -k /job | tail -1';
    const { stdout, stderr, leftOut, files } = await runText('sh', text, {
      limits: { workBytes: 16 * mebibyte },
    });
    expect(stderr).toMatch(/No space left on device/);
    expect(Number(stdout.split(/\s+/)[1])).toBeLessThan(20_000);
    expect([...files, ...leftOut].length).toBeGreaterThan(2);
  });

  test('cannot exceed the maximum file size', async () => {
    const text = 'head -c 3000000 /dev/zero >large; truncate -s 1T holes; ls -s; echo $?';
    const { stderr } = await runText('sh', text, { limits: { fileBytes: mebibyte } });
    expect(stderr.match(/large|limit/gi)).toHaveLength(2);
  });

  test('cannot exhaust inodes', async () => {
    const text = 'i=0; while : >/tmp/f$i; do i=$((i+1)); done; echo $i';
    const { stderr } = await runText('sh', `(${text}); ls /tmp | wc -l`, {
      limits: { workFiles: 500 },
    });
    expect(stderr).toMatch(/No space left on device/);
  });

  test('is killed when it writes endlessly, without using up server memory', async () => {
    const before = process.memoryUsage.rss();
    const { end, stdout, stderr } = await runText('sh', 'yes knowhow & yes >&2', {
      limits: { seconds: 30 },
    });
    expect(end).toBe('output');
    expect(Math.max(stdout.length, stderr.length)).toBeLessThan(70_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * mebibyte);
  });

  test('truncates long output in the middle', async () => {
    const { stdout } = await runText('sh', 'seq 1 100000');
    expect(stdout).toMatch(
      /^1\n2\n[\s\S]+\n\[\d+ bytes left out here\]\n[\s\S]+\n99999\n100000\n$/,
    );
    expect(stdout.length).toBeLessThan(66_000);
  });
});
