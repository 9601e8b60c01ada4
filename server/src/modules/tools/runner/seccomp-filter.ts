/** An instruction of classic BPF. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const give = (value: number): Instruction => [0x06, 0, 0, value];
/** Continues with the next instruction if equal, otherwise skips this many. */
const unlessEqualSkip = (value: number, skip: number): Instruction => [0x15, 0, skip, value];
const unlessAnyBitSkip = (bits: number, skip: number): Instruction => [0x45, 0, skip, bits];
const unlessAboveSkip = (value: number, skip: number): Instruction => [0x25, 0, skip, value];

/** Offsets in `struct seccomp_data`. For arguments: the lower half, on little-endian machines. */
const numberAt = 0;
const machineAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const allow = give(0x7fff0000);
const kill = give(0x80000000);
const refuse = (error: number) => give(0x00050000 + error);
const notPermitted = refuse(1);
const notImplemented = refuse(38);
const noSuchFamily = refuse(97);

/** AF_UNIX, AF_INET and AF_INET6. */
const families = [1, 2, 10];
/** All CLONE_NEW… flags that `clone` accepts. */
const newNamespaces = 0x7e020000;
/** TIOCSTI and TIOCLINUX, which inject terminal input. */
const terminalCommands = [0x5412, 0x541c];

/**
 * The seccomp filter for scripts, as `bwrap --seccomp` reads it; undefined for unknown processors.
 *
 * @param machine as in `process.arch`
 */
export function seccompFilter(machine: string): Uint8Array | undefined {
  const known = machines[machine];
  return known && assemble(programFor(known));
}

function programFor({ audit, denied, clone, sockets, ioctl }: Machine): Instruction[] {
  return [
    load(machineAt),
    // Other architectures use other call numbers.
    [0x15, 1, 0, audit],
    kill,
    load(numberAt),
    // Also blocks x32 calls, which start at 0x40000000.
    unlessAboveSkip(newestCall, 1),
    notImplemented,
    unlessEqualSkip(clone3, 1),
    notImplemented,
    ...denied.flatMap((number) => [unlessEqualSkip(number, 1), notPermitted]),
    ...onCall(clone, [
      load(argumentAt(0)),
      unlessAnyBitSkip(newNamespaces, 1),
      notPermitted,
      allow,
    ]),
    ...sockets.flatMap((number) =>
      onCall(number, [
        load(argumentAt(0)),
        ...families.flatMap((family) => [unlessEqualSkip(family, 1), allow]),
        noSuchFamily,
      ]),
    ),
    ...onCall(ioctl, [
      load(argumentAt(1)),
      ...terminalCommands.flatMap((command) => [unlessEqualSkip(command, 1), notPermitted]),
      allow,
    ]),
    allow,
  ];
}

/**
 * Instructions for one call, which must end with a verdict. Other calls continue after them, with
 * the number still loaded.
 */
function onCall(number: number, then: readonly Instruction[]): Instruction[] {
  return [unlessEqualSkip(number, then.length), ...then];
}

function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, whenTrue, whenFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}

/** A processor architecture: its audit number and system call numbers. */
interface Machine {
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
const newestCall = 462;
/**
 * The same number on all architectures. Libraries fall back to `clone`, whose flags a filter can
 * inspect.
 */
const clone3 = 435;

const numbersOf = (column: 0 | 1) =>
  Object.values(denied).flatMap((numbers) => numbers[column] ?? []);

/** By `process.arch`. */
const machines: Readonly<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, denied: numbersOf(0), clone: 56, sockets: [41, 53], ioctl: 16 },
  arm64: { audit: 0xc00000b7, denied: numbersOf(1), clone: 220, sockets: [198, 199], ioctl: 29 },
};
