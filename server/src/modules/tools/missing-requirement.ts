import type { Runner, ScriptKind } from './runner/runner.ts';

/**
 * Why an available runner cannot run this kind of script, for the model. Undefined if it can, or if
 * the runner is unreachable.
 */
export function missingRequirement(
  { status, runtimes }: Runner,
  kind: ScriptKind,
): string | undefined {
  if (status === 'away' || runtimes[kind] !== undefined) {
    return undefined;
  }
  return `It needs ${languages[kind]}, which is not installed on the script runner. Continue without it, and tell the user.`;
}

const languages: Readonly<Record<ScriptKind, string>> = {
  python: 'Python',
  sh: 'a shell',
  node: 'Node.js',
};
