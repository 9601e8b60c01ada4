import { readdirSync, readFileSync } from 'node:fs';

const closedOnExec = 0o2000000;

/**
 * File descriptors from 3 that child processes would inherit, because this process was started with
 * them. Node opens its own with O_CLOEXEC.
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
    // The descriptor of the directory listing itself.
    return true;
  }
}
