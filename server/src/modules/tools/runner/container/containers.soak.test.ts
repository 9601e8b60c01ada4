import { describe, expect, test } from 'vitest';
import {
  containers,
  filters,
  listContainerStates,
  volumesLeft,
} from '../../../../testing/container-engine.ts';
import {
  attackedHost,
  callsText,
  kernelCalls,
  pythonAttempts,
  shellAttempts,
} from '../../../../testing/escape-attempts.ts';
import { runText } from '../../../../testing/sandbox.ts';
import { waitFor } from '../../../../testing/wait-for.ts';
import type { ScriptJob, ScriptKind } from '../runner.ts';

const mebibyte = 1024 * 1024;

function run(
  kind: ScriptKind,
  text: string,
  job: Partial<ScriptJob> & { signal?: AbortSignal } = {},
) {
  return runText(kind, text, { ...job, ...(containers ? { runner: containers } : {}) });
}

/**
 * Attempts that do not apply to containers, which have their own accounts and a read-only `/sys`.
 */
const ofContainers = /accounts of the host|devices of the host|settings of the kernel/;
/** Attempts blocked only by our seccomp filter, which Podman 4 does not accept. */
const byOurFilter = /sockets of every family|namespace of its own/;
const callsByOurFilter =
  /^(keyctl|memfd_create|shmget|clone3|clone with|ptrace|process_vm|unshare|io_uring)/;
const volumesBefore = containers ? await volumesLeft() : [];

describe.runIf(containers)('a script in a container does not get at', () => {
  const attempts = [...shellAttempts, ...pythonAttempts].filter(
    ([title]) => !ofContainers.test(title) && (filters || !byOurFilter.test(title)),
  );
  test.each(attempts)('%s', async (_title, kind, text) => {
    const { fill } = await attackedHost();
    const { stdout, end } = await run(kind, fill(text));
    expect([end, stdout]).toEqual(['exit', expect.stringMatching(/^(?!.*escaped).*held/s)]);
  });

  test('system calls that reach beyond its own processes', async () => {
    const tried = kernelCalls.filter(([name]) => filters || !callsByOurFilter.test(name));
    const { stdout } = await run('python', callsText(tried));
    expect(stdout.trim().split('\n')).toEqual(tried.map(([name]) => `${name} held`));
  });

  test('kernel settings and devices', async () => {
    const { stdout } = await run(
      'sh',
      `for at in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/power/state /proc/kcore; do
[ -w $at ] && echo escaped $at; done
ls /dev | grep -Eq "^(vd|sd|nvme|kvm|mem|fuse|net)" && echo escaped; (: >/sys/written) 2>/dev/null && echo escaped; echo held`,
    );
    expect(stdout).toBe('held\n');
  });
});

describe.runIf(containers)('a script in a container', () => {
  test('gets its arguments, its input, its files and the files of its skill', async () => {
    const stdin = 'x'.repeat(300_000);
    const text =
      'printf "%s|" "$@"; wc -c; cat in/table.csv "$SKILL_DIR/references/NOTES.md"; pwd; echo err >/dev/stderr; echo out >/dev/stdout; exit 7';
    const result = await run('sh', text, {
      args: ['one', 'two words', '$HOME', ''],
      stdin,
      files: [{ path: 'table.csv', bytes: Buffer.from('1,2\n') }],
      skill: {
        id: 'a-skill',
        files: [{ path: 'references/NOTES.md', bytes: Buffer.from('# Notes\n') }],
      },
    });
    expect(result).toMatchObject({
      stdout: 'one|two words|$HOME||300000\n1,2\n# Notes\n/job\nout\n',
      ...{ stderr: 'err\n', end: 'exit', exitCode: 7, files: [] },
    });
  });

  test('returns its output files, but no links, pipes, hidden files or unsafe names', async () => {
    const text = `
echo result >result.txt; mkdir -p charts/deep; echo 1 >charts/deep/a.csv; echo 2 >/tmp/b
ln -s /etc/passwd link; mkfifo pipe; echo x >.hidden; echo x >"$(printf 'new\\nline')"`;
    const { files, leftOut } = await run('sh', text, {
      files: [{ path: 'in.txt', bytes: Buffer.from('given') }],
    });
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]).sort()).toEqual([
      ['charts/deep/a.csv', '1\n'],
      ['result.txt', 'result\n'],
    ]);
    expect(leftOut.map(({ why }) => why).sort()).toEqual(['kind', 'kind', 'name', 'name']);
  });

  test('reports how it ended', async () => {
    expect(await run('sh', 'kill -SEGV $$')).toMatchObject({ exitCode: 139, signal: 'SIGSEGV' });
    const all = await run('sh', 'kill -KILL -1; echo unkilled');
    expect(all).toMatchObject({ end: 'exit', exitCode: 137 });
    expect((await run('node', 'console.log(1 + 1)')).stdout).toBe('2\n');
    expect((await run('python', 'import multiprocessing as m; m.Lock(); print(3)')).stdout).toBe(
      '3\n',
    );
  });

  test('is killed at its timeout, whatever signals it ignores', async () => {
    const text = "trap '' TERM INT HUP QUIT XCPU ALRM; echo begun; while :; do :; done";
    const result = await run('sh', text, { limits: { seconds: 1 } });
    expect(result).toMatchObject({ end: 'time', exitCode: null, stdout: 'begun\n' });
  });

  test('ends when the user stops it', async () => {
    const controller = new AbortController();
    const running = run('sh', 'sleep 100.25', { signal: controller.signal });
    await waitFor(async () => (await listContainerStates()).includes('running'));
    controller.abort();
    expect((await running).end).toBe('stopped');
  });

  test('cannot exceed its process limit, and leaves none behind', async () => {
    const text = 'i=0; while [ $i -lt 200 ]; do sleep 100 & i=$((i+1)); done; echo all';
    const { stdout, stderr } = await run('sh', text, { limits: { seconds: 20 } });
    expect(stdout).not.toContain('all');
    expect(stderr).toMatch(/fork/);
    const bomb = 'bomb() { bomb & bomb & sleep 100; }; bomb; sleep 100';
    // It ends on its own if its first process cannot fork.
    expect((await run('sh', bomb, { limits: { seconds: 2 } })).end).toMatch(/time|exit/);
    const daemon = '(setsid sh -c "trap \'\' HUP TERM; sleep 100" >/dev/null 2>&1 &) ; echo done';
    expect(await run('sh', daemon)).toMatchObject({ exitCode: 0, stdout: 'done\n' });
  });

  test('cannot exceed its memory limit, alone or with its children', async () => {
    const one = `
try: hoard = bytearray(400 * 1024 * 1024); print('got it')
except MemoryError: print('refused')`;
    const limits = { memory: 128 * mebibyte, seconds: 20 };
    expect((await run('python', one, { limits })).stdout).toBe('refused\n');
    const children = `
import os, time
for _ in range(12):
    if os.fork() == 0:
        hoard = bytearray(b'x' * (60 * 1024 * 1024)); time.sleep(10); os._exit(0)
bad = sum(os.wait()[1] != 0 for _ in range(12)); raise SystemExit(bad > 0)`;
    expect((await run('python', children, { limits })).end).toBe('memory');
  });

  test('cannot exceed the size of its folders or the maximum file size', async () => {
    const text =
      'for at in /job /tmp /dev/shm; do i=0; while head -c 4000000 /dev/zero >$at/fill-$i; do i=$((i+1)); done; done 2>&1; df -k /job | tail -1; head -c 3000000 /dev/zero >large';
    const { stdout } = await run('sh', text, { limits: { workBytes: 16 * mebibyte } });
    expect(stdout.match(/No space left on device/g)).toHaveLength(3);
    expect(Number(/(\d+) +\d+ +\d+ +\d+% /.exec(stdout)?.[1])).toBeLessThan(20_000);
    const large = await run('sh', 'head -c 3000000 /dev/zero >large', {
      limits: { fileBytes: mebibyte },
    });
    expect(large).toMatchObject({ signal: 'SIGXFSZ' });
  });

  test('cannot exhaust inodes', async () => {
    const text = 'i=0; while : >/tmp/f$i; do i=$((i+1)); done; echo $i';
    const limits = { workFiles: 500, memory: 128 * mebibyte, seconds: 30 };
    const { stderr, end } = await run('sh', `(${text}); ls /tmp | wc -l`, { limits });
    // If an engine has no inode limit, files count as memory.
    expect(filters ? stderr : end).toMatch(filters ? /No space left on device/ : /memory/);
  });

  test('is killed when it writes endlessly, without using up server memory', async () => {
    const before = process.memoryUsage.rss();
    const { end, stdout } = await run('sh', 'yes knowhow & yes >&2', { limits: { seconds: 30 } });
    expect(end).toBe('output');
    expect(stdout.length).toBeLessThan(70_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * mebibyte);
    expect((await run('sh', 'seq 1 100000')).stdout).toMatch(
      /bytes left out here[\s\S]+\n100000\n$/,
    );
  });

  test('is isolated from scripts that run at the same time', async () => {
    const text = 'echo $1 >mine; sleep 1; ls /job /tmp; ps -e 2>/dev/null | wc -l; cat mine';
    const both = await Promise.all(['a', 'b'].map((each) => run('sh', text, { args: [each] })));
    expect(both.map(({ stdout }) => stdout.split('\n').at(-2))).toEqual(['a', 'b']);
  });

  test('leaves nothing behind', async () => {
    expect(await listContainerStates()).toEqual([]);
    const isNew = (name: string) => !volumesBefore.includes(name);
    await waitFor(async () => !(await volumesLeft()).some(isNew));
  });
});
