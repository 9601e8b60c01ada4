import type { McpServer } from '@knowhow/shared/config/mcp-config';

/** What stands in a file for a variable, and has not been filled in. */
const unfilled = /\$\{([A-Z][A-Z0-9_]*)\}/;

/** Why a server is not even tried as its configuration is, in sentences; undefined for most. */
export function whyUnusable(server: McpServer): string | undefined {
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
