import type { Client } from '@modelcontextprotocol/client';

/** Resource requests of a connection. */
export interface ResourceSession {
  /** As the server describes them; empty if unsupported. The number of pages is limited. */
  list(signal: AbortSignal, timeoutMs: number): Promise<unknown[]>;
  /** Returns the server's raw result. */
  read(uri: string, signal: AbortSignal, timeoutMs: number): Promise<unknown>;
}

/** @param run runs a request with a user's auth and handles step-up */
export function resourceSession(
  client: Client,
  run: <Result>(request: () => Promise<Result>) => Promise<Result>,
): ResourceSession {
  const options = (signal: AbortSignal, timeout: number) =>
    ({ signal, timeout, maxTotalTimeout: timeout, cacheMode: 'bypass' }) as const;
  return {
    list: async (signal, timeoutMs) => {
      if (!client.getServerCapabilities()?.resources) {
        return [];
      }
      const listed = () => client.listResources(undefined, options(signal, timeoutMs));
      return (await run(listed)).resources;
    },
    read: (uri, signal, timeoutMs) =>
      run(() => client.readResource({ uri }, options(signal, timeoutMs))),
  };
}
