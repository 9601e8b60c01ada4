// Tells whether the process that launched this one has ended. npm runs a script through `sh -c`, and on
// some systems passes no signal on to it.
import { readFileSync } from 'node:fs';

/**
 * Remembers the launcher: the parent process and, where that is a shell, the process that started the shell.
 *
 * @returns a function that is true once one of them has ended, so that the kernel has given its child another parent
 */
export function watchLauncher() {
  const launcher = ancestors();
  return () => ancestors() !== launcher;
}

function ancestors() {
  return `${process.ppid} ${parentOfShell(process.ppid)}`;
}

/** Empty for a process that is no shell, and where there is no /proc: there `sh -c` replaces itself by the script. */
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
