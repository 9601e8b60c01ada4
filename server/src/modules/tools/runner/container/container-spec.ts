import type { RunLimits } from '../run-limits.ts';

/** Labels that identify our containers: the owner, and the expiry in seconds since 1970. */
export const labels = { owner: 'knowhow.runner', until: 'knowhow.until' };

/** The unprivileged user `nobody`, in every engine. */
const user = '65534';
const mebibyte = 1024 * 1024;
/** In addition to the script: the setup shell, `tar` and `timeout`. */
const ownProcesses = 4;
/** Grace period after which the script ends itself if the server is gone. */
const graceSeconds = 5;
/** Process limit shared by all containers of the engine that run as this user. */
const processesOfUser = 4096;

/** Read-only mount points for the script's inputs. */
export const givenFolders = { skill: '/skill', in: '/job/in', input: '/knowhow' };

/** OOM kill counters of cgroup v2 and v1. */
const memoryEvents = '/sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control';

/**
 * The container's entrypoint. The shell is process 1: nothing in the container can kill it, and its
 * exit kills the rest. It detects OOM kills without another process, which might not fit into
 * memory. Uses only `tar` options that BusyBox supports. `$1` is the marker between the script's
 * output and the report, `$2` the timeout in seconds.
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

/** Optional engine features; Podman 4 has neither. */
export interface EngineAbilities {
  /**
   * Whether tmpfs supports an inode limit. Otherwise only the memory limit bounds the number of
   * files.
   */
  countsFiles: boolean;
  /** Whether it accepts our seccomp filter. Otherwise only its own applies. */
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
  /** The container whose volumes are mounted. */
  volumesFrom: string;
  abilities: EngineAbilities;
}

/** A container that never runs; its volumes hold the inputs of the script's container. */
export function volumesSpec({ image, labels: named }: ContainerSpec): object {
  return {
    Image: image,
    User: `${user}:${user}`,
    Labels: named,
    Entrypoint: ['sh'],
    Cmd: ['-c', 'exit 1'],
    Volumes: Object.fromEntries(Object.values(givenFolders).map((path) => [path, {}])),
    HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'none' } },
  };
}

/** The container that runs the script. */
export function scriptSpec(spec: ScriptSpec): object {
  const { limits } = spec;
  const seconds = String(Math.ceil(limits.seconds) + graceSeconds);
  return {
    Image: spec.image,
    User: `${user}:${user}`,
    Labels: spec.labels,
    Hostname: 'sandbox',
    WorkingDir: '/job',
    NetworkDisabled: true,
    AttachStdout: true,
    AttachStderr: true,
    Healthcheck: { Test: ['NONE'] },
    Entrypoint: ['sh', '-c', setUp, 'knowhow', spec.mark, seconds],
    Cmd: spec.command,
    Env: Object.entries(environment).map((pair) => pair.join('=')),
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: securityOf(spec),
      VolumesFrom: [`${spec.volumesFrom}:ro`],
      Tmpfs: fileSystems(spec),
      Memory: limits.memory,
      MemorySwap: limits.memory,
      PidsLimit: limits.processes + ownProcesses,
      Ulimits: ulimits(limits),
      // Output is streamed, never logged to disk.
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

/** Writable tmpfs mounts. Podman adds `/run` and `/var/tmp`, which are made read-only here. */
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
  const maxValues = {
    cpu: Math.ceil(seconds) + 1,
    fsize: fileBytes,
    nofile: openFiles,
    nproc: processesOfUser,
    data: memory,
    core: 0,
    msgqueue: 0,
    memlock: 65_536,
  };
  return Object.entries(maxValues).map(([Name, limit]) => ({ Name, Soft: limit, Hard: limit }));
}

/** The seccomp profile in Docker's format: an allowlist, equivalent to bubblewrap's filter. */
function seccompProfile(): string {
  const allow = 'SCMP_ACT_ALLOW';
  const only = (index: number, value: number) => [{ index, value, op: 'SCMP_CMP_EQ' }];
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ERRNO',
    syscalls: [
      { names: allowed.trim().split(/\s+/), action: allow },
      // Makes libraries fall back to `clone`, whose flags a filter can inspect.
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: notThere },
      { names: ['clone'], action: allow, args: [noNamespaces] },
      ...families.map((family) => ({
        names: ['socket', 'socketpair'],
        action: allow,
        args: only(0, family),
      })),
    ],
  });
}

const notThere = 38;

/** AF_UNIX, AF_INET and AF_INET6. */
const families = [1, 2, 10];

/** None of the CLONE_NEW… flags that `clone` accepts. */
const noNamespaces = { index: 0, value: 0x7e020000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };

const allowed = `
accept accept4 access alarm arch_prctl bind brk cachestat capget capset chdir chmod chown clock_getres
clock_gettime clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create
epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit exit_group
faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync
fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex futex_requeue
futex_wait futex_waitv futex_wake futimesat get_mempolicy get_robust_list getcpu getcwd getdents getdents64
getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom
getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid getxattr
inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents
io_pgetevents io_setup io_submit ioctl ioprio_get ioprio_set kill landlock_add_rule
landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen listxattr llistxattr
lremovexattr lseek lsetxattr lstat madvise membarrier mincore mkdir mkdirat mknod mknodat mlock mlock2
mlockall mmap mprotect mremap msync munlock munlockall munmap nanosleep newfstatat open openat openat2 pause
pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv
preadv2 prlimit64 process_mrelease pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat
readv recvfrom recvmmsg recvmsg removexattr rename renameat renameat2 restart_syscall rmdir rseq
rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr
sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam
sched_setscheduler sched_yield seccomp select sendfile sendmmsg sendmsg sendto set_robust_list
set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid
setresuid setreuid setrlimit setsid setsockopt setuid setxattr shutdown sigaltstack signalfd signalfd4
splice stat statfs statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time timer_create
timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime
times tkill truncate umask uname unlink unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write
writev`;
