import { clone3, type Machine, machines, newestCall } from './syscalls.ts';

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
