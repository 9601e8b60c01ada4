import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ScriptKind } from '../modules/tools/runner/runner.ts';
import { temporaryFolder, writeFiles } from './write-files.ts';

/**
 * Each script prints `escaped` if it succeeds, and `held` if it is blocked. `@` is replaced by a
 * host folder that contains a file `secret`.
 */
type Attempt = [title: string, kind: ScriptKind, text: string];

export const shellAttempts: Attempt[] = [
  ['a file of the host by its path', 'sh', 'cat @/secret >/dev/null && echo escaped || echo held'],
  [
    'a file of the host through the roots and folders of processes',
    'sh',
    'for way in /proc/[0-9]*/root /proc/[0-9]*/cwd; do cat $way@/secret && echo escaped; done; echo held',
  ],
  [
    'a file of the host through a link in the work folder',
    'sh',
    'ln -s @/secret mine && cat mine >/dev/null && echo escaped || echo held',
  ],
  ['accounts of the host', 'sh', 'grep -q ^root: /etc/passwd && echo escaped || echo held'],
  [
    'the environment of the server',
    'sh',
    'cat /proc/self/environ /proc/*/environ 2>/dev/null | tr "\\0" "\\n" | grep -q ^VITEST && echo escaped || echo held',
  ],
  ['writing into a folder of the host', 'sh', 'echo x >@/written && echo escaped || echo held'],
  [
    'writing outside the work folder',
    'sh',
    'for at in / /etc /opt /dev /skill /job/in /var /run; do [ -d $at ] && echo x >$at/written && echo escaped; done; echo held',
  ],
  [
    'processes of the host',
    'sh',
    '[ "$(ls -d /proc/[0-9]* | wc -l)" -gt 12 ] && echo escaped || echo held',
  ],
  ['ending processes of the host', 'sh', 'sleep 0 & kill -0 @PID && echo escaped || echo held'],
  [
    'a namespace of its own',
    'sh',
    'unshare --user --map-root-user true && echo escaped || echo held',
  ],
  [
    'settings of the kernel',
    'sh',
    '[ -w /proc/sys/kernel/core_pattern ] && echo escaped; [ -w /proc/sysrq-trigger ] && echo escaped; [ -w /proc/self/oom_score_adj ] && echo escaped; echo held',
  ],
  [
    'devices of the host',
    'sh',
    'ls /dev | grep -Eq "^(vd|sd|nvme|kvm|mem|fuse|net)" && echo escaped; [ -d /sys/class ] && echo escaped; echo held',
  ],
  ['the name of the host', 'sh', '[ "$(uname -n)" = sandbox ] && echo held || echo escaped'],
];

export const pythonAttempts: Attempt[] = [
  [
    'a server of this machine by the network',
    'python',
    "import socket\ntry: socket.create_connection(('127.0.0.1', @PORT), 2); print('escaped')\nexcept OSError as error: print('held', error)",
  ],
  [
    'sockets of every family but those of the machine itself',
    'python',
    `
import socket
for family in list(range(3, 10)) + list(range(11, 46)):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try: socket.socket(family, kind); print('escaped', family)
        except OSError: pass
print('held')`,
  ],
  [
    'an abstract socket of the host',
    'python',
    `
import socket
for length in (0, 108):
    try: socket.socket(socket.AF_UNIX).connect('\\0knowhow-@PORT'.ljust(length, '\\0')); print('escaped')
    except OSError as error: print('held', error)`,
  ],
  [
    'raw packets',
    'python',
    "import socket\ntry: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print('escaped')\nexcept OSError as error: print('held', error)",
  ],
  [
    'descriptors of the server',
    'python',
    `
import os
for name in os.listdir('/proc/self/fd'):
    try: target = os.readlink('/proc/self/fd/' + name)
    except OSError: continue
    if int(name) > 2 and target != '/dev/null': print('escaped', name, target)
print('held')`,
  ],
  [
    'a device file of its own',
    'python',
    "import os, stat\ntry: os.mknod('/job/device', stat.S_IFBLK | 0o666, os.makedev(254, 0)); print('escaped')\nexcept OSError as error: print('held', error)",
  ],
  [
    'becoming root by a program',
    'python',
    `
import os
for attempt in (lambda: os.setuid(0), lambda: os.setgroups([0]), lambda: os.chown('/job', 0, 0)):
    try: attempt(); print('escaped')
    except OSError: pass
import ctypes
print('held' if ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) == 1 else 'escaped')`,
  ],
];

/** System calls with their numbers on x86_64 and aarch64. */
export const kernelCalls: [name: string, x64: number, arm64: number, args: string][] = [
  ['process_vm_readv', 310, 270, 'os.getpid(), 0, 0, 0, 0, 0'],
  ['add_key', 248, 217, "b'user', b'name', b'secret', 6, -3"],
  ['keyctl', 250, 219, '0, -3, 1'],
  ['memfd_create', 319, 279, "b'x', 0"],
  ['shmget', 29, 194, '0, 4096, 0o1600'],
  ['personality', 135, 92, '0x0400000'],
  ['clone3', 435, 435, 'bytes(64), 64'],
  ['clone with a user namespace', 56, 220, '0x10000011, 0, 0, 0, 0'],
  ['ptrace', 101, 117, '0, 0, 0, 0'],
  ['bpf', 321, 280, '0, bytes(72), 72'],
  ['io_uring_setup', 425, 425, '4, ctypes.create_string_buffer(120)'],
  ['userfaultfd', 323, 282, '1'],
  ['perf_event_open', 298, 241, 'bytes(112), 0, -1, -1, 0'],
  ['mount', 165, 40, "b'none', b'/tmp', b'tmpfs', 0, 0"],
  ['unshare', 272, 97, '0x10000000'],
  ['setns', 308, 268, "os.open('/proc/self/ns/net', 0), 0"],
  ['pivot_root', 155, 41, "b'/', b'/'"],
  ['open_by_handle_at', 304, 265, '-100, bytes(32), 0'],
  ['fsopen', 430, 430, "b'tmpfs', 0"],
  ['kexec_load', 246, 104, '0, 0, 0, 0'],
  ['init_module', 175, 105, "b'', 0, b''"],
  ['a call of the future', 480, 480, ''],
];
/** The attempts that any user with user namespaces can make. */
export const unprivilegedCalls = kernelCalls.slice(0, 9);

/** The filter returns EPERM or ENOSYS; a call that passes it returns a number or another error. */
export const callsText = (tried: typeof kernelCalls) => `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def attempt(name, number, *args):
    result = libc.syscall(number, *args)
    error = ctypes.get_errno()
    if name.startswith('clone'):
        if result == 0: os._exit(0)
        # A traced process stops at each signal: wait for SIGCHLD before the next attempt.
        if result > 0: os.waitpid(-1, 0x40000000)
    print(name, 'held' if result == -1 and error in (1, 38) else 'escaped', flush=True)
${tried
  .map(
    ([name, x64, arm64, args]) =>
      `attempt('${name}', ${process.arch === 'x64' ? x64 : arm64}, ${args})`,
  )
  .join('\n')}`;

/** The targets of the attempts: a folder and two sockets. */
export async function attackedHost() {
  const folder = await temporaryFolder();
  await writeFiles(folder, { secret: 'of the host' });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const local = createServer();
  await new Promise<void>((resolve) => local.listen(`\0knowhow-${port}`, resolve));
  onTestFinished(() => {
    server.close();
    local.close();
  });
  const fill = (text: string) =>
    text
      .replaceAll('@PORT', String(port))
      .replaceAll('@PID', String(process.pid))
      .replaceAll('@/', `${folder}/`);
  return { folder, fill };
}
