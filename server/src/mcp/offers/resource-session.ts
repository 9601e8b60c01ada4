import type { Client } from '@modelcontextprotocol/client';

/** What a connection to a server can do with its resources. */
export interface ResourceSession {
  /** As the server describes them; none where it has none. At most so many pages. */
  list(signal: AbortSignal, timeoutMs: number): Promise<unknown[]>;
  /** Gives what the server answered. */
  read(uri: string, signal: AbortSignal, timeoutMs: number): Promise<unknown>;
}

/** @param run makes a request as somebody, and again where a sign-in has to be renewed for it */
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
