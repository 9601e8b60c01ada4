import { runCli } from '../cli/run-cli.ts';
import type { Terminal } from '../cli/terminal.ts';
import { defaultSizeLimits } from '../modules/skills/archives/unpack-limits.ts';
import { defaultScanLimits } from '../modules/skills/store/scan-limits.ts';

/** Runs a `knowhow` command, by default without an interactive terminal. */
export async function runCommand(args: readonly string[], terminal: Partial<Terminal>) {
  const out: string[] = [];
  const errors: string[] = [];
  const missing = () => {
    throw new Error('The test does not provide an installation.');
  };
  const code = await runCli(args, {
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    skillsFolder: missing,
    skillLimits: () => defaultScanLimits,
    sizeLimits: () => defaultSizeLimits,
    key: () => undefined,
    installation: missing,
    runner: missing,
    input: () => Promise.resolve(''),
    ask: () => Promise.resolve(undefined),
    ...terminal,
  });
  return { code, out: out.join('\n'), error: errors.join('\n') };
}
