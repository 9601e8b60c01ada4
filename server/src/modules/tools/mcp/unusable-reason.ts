import type { McpServer } from '@knowhow/shared/config/mcp-config';

/** An unresolved environment variable in the configuration. */
const unfilled = /\$\{([A-Z][A-Z0-9_]*)\}/;

/** Why a server's configuration is unusable, in sentences; undefined if it is fine. */
export function getUnusableReason(server: McpServer): string | undefined {
  if (server.unusable !== undefined) {
    return server.unusable;
  }
  const values =
    server.kind === 'http'
      ? [server.url, ...Object.values(server.headers)]
      : Object.values(server.env);
  const name = values.map((value) => unfilled.exec(value)?.[1]).find((found) => found);
  return name === undefined
    ? undefined
    : `The variable ${name}, which mcp.json names, is not set or may not be read.`;
}
