import type { RunLimits } from '../run-limits.ts';
import { seccompProfile } from './seccomp-profile.ts';

/** By these labels what we have made is found again: whose it is, and when (in seconds) nobody needs it any more. */
export const labels = { owner: 'knowhow.runner', until: 'knowhow.until' };

/** Who scripts are: `nobody`, in every engine. */
const user = '65534';
const mebibyte = 1024 * 1024;
/** Beside the script: what sets it up and packs its folder, and what ends it in time. */
const ownProcesses = 4;
/** Until an engine that has lost its server ends a script by itself. */
const graceSeconds = 5;
/** What a script may take of what all containers of an engine share as one user. */
const processesOfUser = 4096;

/** Where each thing is that a script gets. All of it is read only. */
export const givenFolders = { skill: '/skill', in: '/job/in', input: '/knowhow' };

/** What the kernel has counted for the container: by the second version of control groups, and the first. */
const memoryEvents = '/sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control';

/**
 * What is run first. The shell is process 1, which nothing in its container can end, and whose end ends all
 * others. That there was too much memory it finds without another process, for which there may be no room. Of the options of
 * `tar` it needs only those that BusyBox has, too. `$1` is the mark between what the script writes and what is said of it, `$2` its time in seconds.
 */
const setUp = `
mark=$1; seconds=$2; shift 2
[ ! -f ${givenFolders.input}/stdin ] || exec <${givenFolders.input}/stdin
exec 3>&2 2>/dev/null
timeout -s KILL "$seconds" "$@" 2>&3 3>&-
code=$?
kill -KILL -1
for events in ${memoryEvents}; do
  [ $code = 0 ] || [ ! -r $events ] || while read -r name count; do
    [ "$name" != oom_kill ] || [ "$count" = 0 ] || code=memory
  done <$events
done
printf '\\n%s %s\\n' "$mark" "$code"
cd /job && set --
for name in * .[!.]*; do
  case $name in
    in) ;;
    *) [ ! -e "$name" ] && [ ! -L "$name" ] || set -- "$@" "./$name" ;;
  esac
done
TAR_OPTIONS=--format=ustar tar -cf - "$@"
exit 0`;

/** What engines do differently: Podman 4 has neither. */
export interface EngineAbilities {
  /** File systems in memory have a limit of files. Else what files take counts as memory only. */
  countsFiles: boolean;
  /** It takes our filter of system calls. Else its own is all there is. */
  takesFilter: boolean;
}

export interface ContainerSpec {
  image: string;
  labels: Readonly<Record<string, string>>;
}

export interface ScriptSpec extends ContainerSpec {
  command: readonly string[];
  mark: string;
  limits: RunLimits;
  /** The container whose volumes it gets. */
  volumesFrom: string;
  abilities: EngineAbilities;
}

/** A container that never runs: what is put into its volumes is there for the one that does. */
export function volumesSpec({ image, labels: named }: ContainerSpec): object {
  return {
    ...{ Image: image, User: `${user}:${user}`, Labels: named },
    ...{ Entrypoint: ['sh'], Cmd: ['-c', 'exit 1'] },
    Volumes: Object.fromEntries(Object.values(givenFolders).map((path) => [path, {}])),
    HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'none' } },
  };
}

/** The container of one script. */
export function scriptSpec(spec: ScriptSpec): object {
  const { limits } = spec;
  const seconds = String(Math.ceil(limits.seconds) + graceSeconds);
  return {
    ...{ Image: spec.image, User: `${user}:${user}`, Labels: spec.labels },
    ...{ Hostname: 'sandbox', WorkingDir: '/job', NetworkDisabled: true },
    ...{ AttachStdout: true, AttachStderr: true, Healthcheck: { Test: ['NONE'] } },
    Entrypoint: ['sh', '-c', setUp, 'knowhow', spec.mark, seconds],
    Cmd: spec.command,
    Env: Object.entries(environment).map((pair) => pair.join('=')),
    HostConfig: {
      ...{ NetworkMode: 'none', IpcMode: 'none', ReadonlyRootfs: true },
      ...{ CapDrop: ['ALL'], SecurityOpt: securityOf(spec) },
      VolumesFrom: [`${spec.volumesFrom}:ro`],
      Tmpfs: fileSystems(spec),
      ...{ Memory: limits.memory, MemorySwap: limits.memory },
      PidsLimit: limits.processes + ownProcesses,
      Ulimits: ulimits(limits),
      // What it writes is on no disk.
      LogConfig: { Type: 'none' },
    },
  };
}

const environment = {
  HOME: '/job',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  SKILL_DIR: givenFolders.skill,
};

/** All that can be written to; `/run` and `/var/tmp` are what Podman adds by itself. */
function fileSystems({ limits, abilities: { countsFiles } }: ScriptSpec): Record<string, string> {
  const size = `size=${limits.workBytes}`;
  const counted = countsFiles ? `,nr_inodes=${limits.workFiles},uid=${user},gid=${user}` : '';
  const own = `rw,exec,nosuid,nodev,mode=1777,${size}${counted}`;
  const closed = `ro,noexec,nosuid,nodev,size=${mebibyte}`;
  return { '/job': own, '/tmp': own, '/dev/shm': own, '/run': closed, '/var/tmp': closed };
}

function securityOf({ abilities: { takesFilter } }: ScriptSpec): string[] {
  return ['no-new-privileges', ...(takesFilter ? [`seccomp=${seccompProfile()}`] : [])];
}

function ulimits({ seconds, memory, openFiles, fileBytes }: RunLimits): object[] {
  const most = {
    cpu: Math.ceil(seconds) + 1,
    fsize: fileBytes,
    nofile: openFiles,
    nproc: processesOfUser,
    data: memory,
    ...{ core: 0, msgqueue: 0, memlock: 65_536 },
  };
  return Object.entries(most).map(([Name, limit]) => ({ Name, Soft: limit, Hard: limit }));
}
