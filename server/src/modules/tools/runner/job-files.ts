import { type JobFile, RunnerFailure, type ScriptJob } from './runner.ts';

/** Program and arguments that run a job's script, with paths as seen by the script. */
export function getCommand({ kind, script, args, skill }: ScriptJob): string[] {
  const file = skill.files.find(({ path }) => path === script);
  if (!file) {
    throw new RunnerFailure(`There is no file "${script}" in this skill.`);
  }
  const beginning = Buffer.from(file.bytes.subarray(0, 100)).toString('latin1');
  const shell = /^#!.*\bbash\b/.test(beginning) ? 'bash' : 'sh';
  const program = { python: 'python3', sh: shell, node: 'node' }[kind];
  return [program, `/skill/${script}`, ...args];
}

/** @throws `RunnerFailure` on path traversal */
export function assertSafePath({ path }: JobFile): void {
  const isPlain = path
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (!isPlain || path.includes('\0')) {
    throw new RunnerFailure(`"${path}" is no name of a file for a script.`);
  }
}
