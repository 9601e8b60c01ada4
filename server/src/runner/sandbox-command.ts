import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { RunLimits } from './run-limits.ts';

/** Who a script believes to be. */
const nobody = '65534';
const foldersOfSystem = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Of `/etc`, what programs need to be found and to start quickly. */
export const usedOfEtc = { folders: ['alternatives'], files: ['ld.so.cache'] };
/** Where Node is when it is not below `/usr`. */
const ownFolder = '/opt/knowhow';
export const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/**
 * What is run first, in user and mount namespaces of its own: it fills a file system in memory with what
 * comes in by the standard input, runs bubblewrap, and then packs what was left in the work folder.
 * `$1` are the options of the file system; all else is the call of bubblewrap.
 * What it says goes to descriptor 3: lines of bubblewrap, a line `end`, the archive.
 */
const setUp = `
mount -t tmpfs -o "$1" knowhow /tmp && cd /tmp && tar -xof - || exit 125
echo 1000 >/proc/self/oom_score_adj
shift
cat <out 3>&- &
cat <err >&2 3>&- &
"$@" <stdin >out 2>err 4<seccomp
wait
echo end >&3
tar -cf - --format=ustar -C work --exclude=./in . >&3 2>/dev/null
exit 0`;

export interface Sandboxed {
  command: readonly string[];
  limits: RunLimits;
  /** Bytes and files of what is put in. */
  given: { bytes: number; files: number };
  /** The program that runs `.js`. */
  node: string;
}

/** The call, as program and arguments, of a command in a sandbox. */
export function sandboxCommand({ command, limits, given, node }: Sandboxed): string[] {
  const size = given.bytes + limits.workBytes;
  const inodes = given.files + limits.workFiles;
  return [
    'unshare',
    ...['--user', '--map-root-user', '--mount', '--propagation', 'private'],
    // Ends with the server, however that ends.
    ...['setpriv', '--pdeathsig', 'KILL'],
    ...['sh', '-c', setUp, 'knowhow'],
    `size=${size},nr_inodes=${inodes},mode=0755`,
    ...['bwrap', ...apart, ...mounts(node), ...environment(node)],
    ...['--seccomp', '4', '--json-status-fd', '3', '--'],
    ...['prlimit', ...processLimits(limits), '--'],
    ...command,
  ];
}

const apart = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', nobody, '--gid', nobody],
  ...['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--clearenv'],
  ...['--cap-drop', 'ALL'],
];

/** The file system that a script sees: all of it read only but `/job`, `/tmp` and `/dev/shm`. */
function mounts(node: string): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...foldersOfSystem.flatMap(sameAsHere),
    ...['--ro-bind', '/tmp/etc', '/etc'],
    ...[...usedOfEtc.folders, ...usedOfEtc.files]
      .map((name) => `/etc/${name}`)
      .flatMap((path) => (existsSync(path) ? ['--ro-bind', path, path] : [])),
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...['--dev', '/dev', '--bind', '/tmp/shm', '/dev/shm', '--remount-ro', '/dev'],
    ...['--bind', '/tmp/tmp', '/tmp', '--ro-bind', '/tmp/skill', '/skill'],
    ...['--bind', '/tmp/work', '/job', '--ro-bind', '/tmp/in', '/job/in'],
    ...(isOfSystem(node) ? [] : ['--ro-bind', node, `${ownFolder}/node`]),
    ...['--remount-ro', '/', '--chdir', '/job'],
  ];
}

function environment(node: string): string[] {
  const set = {
    PATH: isOfSystem(node) ? searchPath : `${ownFolder}:${searchPath}`,
    HOME: '/job',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
    SKILL_DIR: '/skill',
  };
  return Object.entries(set).flatMap(([name, value]) => ['--setenv', name, value]);
}

/** Set inside of the last namespace, so that processes are counted there and nowhere else. */
function processLimits({ seconds, memory, processes, openFiles, fileBytes }: RunLimits): string[] {
  return [
    `--nproc=${processes}`,
    `--cpu=${Math.ceil(seconds) + 1}`,
    `--fsize=${fileBytes}`,
    `--nofile=${openFiles}`,
    `--data=${memory}`,
    ...['--core=0', '--msgqueue=0', '--memlock=65536', '--nice=0', '--rtprio=0'],
  ];
}

/** `/bin` and its like: the same symbolic link, or the folder. */
function sameAsHere(name: string): string[] {
  const path = `/${name}`;
  if (!existsSync(path)) {
    return [];
  }
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}

function isOfSystem(path: string): boolean {
  return path.startsWith('/usr/');
}
