// Detects that the launching process has ended. npm runs scripts through `sh -c`, which on some systems does
// not forward signals.
import { readFileSync } from 'node:fs';

/**
 * Remembers the launcher: the parent process and, if that is a shell, the shell's parent.
 *
 * @returns a function that is true once one of them has ended, i.e. the kernel has reparented its child
 */
export function watchLauncher() {
  const launcher = ancestors();
  return () => ancestors() !== launcher;
}

function ancestors() {
  return `${process.ppid} ${parentOfShell(process.ppid)}`;
}

/** Empty if the process is not a shell, or without /proc: there `sh -c` replaces itself with the script. */
function parentOfShell(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): pid (name) state ppid …
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? [];
    return /^(?:ba|da|a)?sh$/.test(name) ? parent : '';
  } catch {
    return '';
  }
}
