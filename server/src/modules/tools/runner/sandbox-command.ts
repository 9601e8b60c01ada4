import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { RunLimits } from './run-limits.ts';

/** The user that the script runs as. */
const nobody = '65534';
const foldersOfSystem = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Files of `/etc` that programs need to start quickly and to be found. */
export const etcEntries = { folders: ['alternatives'], files: ['ld.so.cache'] };
/** Mount point of Node if it is not below `/usr`. */
const ownFolder = '/opt/knowhow';
export const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/**
 * The setup script, run in its own user and mount namespace. It unpacks stdin into a tmpfs, runs
 * bubblewrap, and packs the work folder. `$1` are the tmpfs options, the rest is the bubblewrap
 * command. Descriptor 3 receives bubblewrap's status lines, a line `end`, and the archive.
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
  /** Size and number of the input files. */
  given: { bytes: number; files: number };
  /** Path of the Node executable. */
  node: string;
}

/** The program and arguments that run a command in a sandbox. */
export function sandboxCommand({ command, limits, given, node }: Sandboxed): string[] {
  const size = given.bytes + limits.workBytes;
  const inodes = given.files + limits.workFiles;
  return [
    'unshare',
    ...['--user', '--map-root-user', '--mount', '--propagation', 'private'],
    // Dies with the server, however that ends.
    ...['setpriv', '--pdeathsig', 'KILL'],
    ...['sh', '-c', setUp, 'knowhow'],
    `size=${size},nr_inodes=${inodes},mode=0755`,
    ...['bwrap', ...isolationOptions, ...mounts(node), ...environment(node)],
    ...['--seccomp', '4', '--json-status-fd', '3', '--'],
    ...['prlimit', ...processLimits(limits), '--'],
    ...command,
  ];
}

const isolationOptions = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--uid', nobody, '--gid', nobody],
  ...['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--clearenv'],
  ...['--cap-drop', 'ALL'],
];

/** The script's file system: read-only except `/job`, `/tmp` and `/dev/shm`. */
function mounts(node: string): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...foldersOfSystem.flatMap(mirrorOptions),
    ...['--ro-bind', '/tmp/etc', '/etc'],
    ...[...etcEntries.folders, ...etcEntries.files]
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

/** Set inside the innermost namespace, so that only its processes count. */
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

/** `/bin` and the like: the same symbolic link, or the folder. */
function mirrorOptions(name: string): string[] {
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
