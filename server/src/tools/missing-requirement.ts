import type { Runner, ScriptKind } from '../runner/runner.ts';

/** Why a runner that is there cannot run scripts of a kind, for the model; undefined where it can, or nobody knows. */
export function missingRequirement(
  { status, runtimes }: Runner,
  kind: ScriptKind,
): string | undefined {
  if (status === 'away' || runtimes[kind] !== undefined) {
    return undefined;
  }
  return `It needs ${languages[kind]}, which is not there where scripts are run. Go on without it, and tell the user.`;
}

const languages: Readonly<Record<ScriptKind, string>> = {
  python: 'Python',
  sh: 'a shell',
  node: 'Node.js',
};
