import type { Runtimes, ScriptJob, ScriptKind } from './runner.ts';

/** Prints the available interpreters, and fails without a seccomp filter. */
const text = `
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || exit 3
printf 'sh: %s\\n' "$(bash --version 2>/dev/null)"
command -v python3 >/dev/null && printf 'python: %s\\n' "$(python3 --version 2>&1)"
command -v node >/dev/null && printf 'node: %s\\n' "$(node --version)"
exit 0`;

/**
 * A probe script that checks whether scripts run, and which kinds.
 *
 * @param checks shell lines to run first
 */
export function createProbeJob(checks = ''): ScriptJob {
  return {
    kind: 'sh',
    skill: { id: 'trial', files: [{ path: 'trial.sh', bytes: Buffer.from(checks + text) }] },
    script: 'trial.sh',
    args: [],
    limits: { seconds: 20 },
  };
}

/** Parses the output of the probe. */
export function runtimesIn(stdout: string): Runtimes {
  const found: Partial<Record<ScriptKind, string>> = {};
  for (const [, kind, version = ''] of stdout.matchAll(/^(sh|python|node): [^\d\n]*([\d.]*)/gm)) {
    found[kind as ScriptKind] = version;
  }
  return found;
}
