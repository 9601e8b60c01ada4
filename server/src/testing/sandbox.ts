import { type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { findRunner } from '../modules/tools/runner/find-runner.ts';
import type {
  Runner,
  ScriptJob,
  ScriptKind,
  ScriptResult,
} from '../modules/tools/runner/runner.ts';

const found = await findRunner({ wanted: 'bubblewrap' });
if (!found.runner) {
  process.stderr.write(
    `NOT TESTED: no sandbox available, so script isolation is untested. ${found.reason}\n`,
  );
}

/** The sandbox, if available. */
export const sandbox: Runner | undefined = found.runner;
export const hasPython = sandbox?.runtimes.python !== undefined;

/** Runs a text as a skill's script, in the sandbox by default. */
export function runText(
  kind: ScriptKind,
  text: string,
  job: Partial<ScriptJob> & { signal?: AbortSignal; runner?: Runner } = {},
): Promise<ScriptResult> {
  const { signal = new AbortController().signal, runner = sandbox, ...rest } = job;
  if (!runner) {
    throw new Error('There is no sandbox.');
  }
  const script = 'scripts/main';
  const files = [{ path: script, bytes: Buffer.from(text) }, ...(rest.skill?.files ?? [])];
  return runner.run({ kind, args: [], ...rest, script, skill: { id: 'a-skill', files } }, signal);
}

/** Runs the same text without a sandbox, with an inherited file descriptor. */
export function runUnguarded(kind: ScriptKind, text: string, cwd: string): string {
  const program = { python: '/usr/bin/python3', sh: 'sh', node: process.execPath }[kind];
  const option = kind === 'node' ? '-e' : '-c';
  const left = openSync(cwd, 'r');
  try {
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', left];
    return spawnSync(program, [option, text], { cwd, stdio, timeout: 20_000 }).stdout.toString();
  } finally {
    closeSync(left);
  }
}
