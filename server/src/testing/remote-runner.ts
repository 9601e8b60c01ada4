import { onTestFinished } from 'vitest';
import { runCommand } from './run-command.ts';
import { temporaryFolder } from './write-files.ts';

export const runnerToken = 'a token for tests of runners';

/** `knowhow runner` on loopback, with its own folder by default. */
export async function startRemoteRunner({ port = 0, folder = '' } = {}) {
  const dataDirectory = folder || (await temporaryFolder());
  const controller = new AbortController();
  let hear = (_line: string) => {};
  const said = new Promise<string>((resolve) => {
    hear = resolve;
  });
  const ended = runCommand(['runner'], {
    out: hear,
    runner: () => ({
      host: '127.0.0.1',
      port,
      dataDirectory,
      stop: controller.signal,
      scriptRunner: {
        wanted: 'off',
        remote: undefined,
        container: undefined,
        token: runnerToken,
        copiesAtOnce: false,
      },
    }),
  });
  const [url = ''] = /http:\S+/.exec(await said) ?? [];
  const stop = async () => {
    controller.abort();
    await ended;
  };
  onTestFinished(stop);
  return { url, port: Number(new URL(url).port), folder: dataDirectory, stop };
}
