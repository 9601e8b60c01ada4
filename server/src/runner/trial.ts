import type { Runtimes, ScriptJob, ScriptKind } from './runner.ts';

/** Says what there is to run scripts with, and fails where there is no filter of system calls. */
const text = `
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || exit 3
printf 'sh: %s\\n' "$(bash --version 2>/dev/null)"
command -v python3 >/dev/null && printf 'python: %s\\n' "$(python3 --version 2>&1)"
command -v node >/dev/null && printf 'node: %s\\n' "$(node --version)"
exit 0`;

/**
 * A script that shows whether scripts can be run, and of what kinds.
 *
 * @param checks lines of shell before its own
 */
export function trialJob(checks = ''): ScriptJob {
  return {
    kind: 'sh',
    skill: { id: 'trial', files: [{ path: 'trial.sh', bytes: Buffer.from(checks + text) }] },
    script: 'trial.sh',
    args: [],
    limits: { seconds: 20 },
  };
}

/** What it has said. */
export function runtimesIn(stdout: string): Runtimes {
  const found: Partial<Record<ScriptKind, string>> = {};
  for (const [, kind, version = ''] of stdout.matchAll(/^(sh|python|node): [^\d\n]*([\d.]*)/gm)) {
    found[kind as ScriptKind] = version;
  }
  return found;
}
