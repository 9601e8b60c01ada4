/** A processor architecture: its audit number and system call numbers. */
export interface Machine {
  /** AUDIT_ARCH_… */
  audit: number;
  denied: readonly number[];
  clone: number;
  sockets: readonly number[];
  ioctl: number;
}

/** By name: the numbers on x86_64 and aarch64; undefined if not available. */
const denied: Readonly<
  Record<string, readonly [x64: number | undefined, arm64: number | undefined]>
> = {
  // other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  perf_event_open: [298, 241],
  // large parts of the kernel that scripts do not need
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  fanotify_init: [300, 262],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  modify_ldt: [154, undefined],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  // namespaces and mounts
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  setns: [308, 268],
  unshare: [272, 97],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  statmount: [457, 457],
  listmount: [458, 458],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // memory outside all limits
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  // the machine
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  uselib: [134, undefined],
  sysfs: [139, undefined],
  personality: [135, 92],
  vhangup: [153, 58],
};

/** Newer calls are reported as not implemented. */
export const newestCall = 462;
/**
 * The same number on all architectures. Libraries fall back to `clone`, whose flags a filter can
 * inspect.
 */
export const clone3 = 435;

const numbersOf = (column: 0 | 1) =>
  Object.values(denied).flatMap((numbers) => numbers[column] ?? []);

/** By `process.arch`. */
export const machines: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, denied: numbersOf(0), clone: 56, sockets: [41, 53], ioctl: 16 },
  arm64: { audit: 0xc00000b7, denied: numbersOf(1), clone: 220, sockets: [198, 199], ioctl: 29 },
};
