/** The seccomp profile in Docker's format: an allowlist, equivalent to bubblewrap's filter. */
export function seccompProfile(): string {
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
        ...{ names: ['socket', 'socketpair'], action: allow },
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
