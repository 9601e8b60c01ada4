import { expect, test } from 'vitest';
import { runCommand } from '../testing/run-command.ts';
import { sandbox } from '../testing/sandbox.ts';

const settings = {
  ...{ wanted: 'off' as const, remote: undefined, container: undefined, copiesAtOnce: false },
};
const runner = (token: string | undefined) => () => ({
  ...{ host: '127.0.0.1', port: 0, dataDirectory: '/nowhere', stop: new AbortController().signal },
  scriptRunner: { ...settings, token },
});

test.runIf(sandbox)('requires a token that cannot be guessed', async () => {
  for (const token of [undefined, 'short']) {
    const { code, error } = await runCommand(['runner'], { runner: runner(token) });
    expect([code, error]).toEqual([2, expect.stringContaining('SCRIPT_RUNNER_TOKEN')]);
  }
});

test.runIf(sandbox)(
  'prints the overhead of a run',
  async () => {
    const { code, out } = await runCommand(['runner', '--measure'], {});
    expect(code).toBe(0);
    expect(out).toMatch(
      /^A script that does nothing: [\d.]+ ms by bubblewrap, [\d.]+ ms by itself/,
    );
  },
  60_000,
);
