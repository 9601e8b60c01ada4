import { readdirSync, readFileSync } from 'node:fs';

const closedOnExec = 0o2000000;

/**
 * Descriptors from 3 that a program started from here would get without being asked: what this process was
 * itself started with. Node's own are not among them.
 */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnExec(descriptor));
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(info) ?? [];
    return (Number.parseInt(flags, 8) & closedOnExec) !== 0;
  } catch {
    // It was that of the folder that was just read.
    return true;
  }
}
