/**
 * Limits of one message of a server, over HTTP and over its standard streams. The library validates all of it at
 * once: 50,000 values take it a tenth of a second. A list of 500 tools with 30 described parameters each has as many.
 */
export const mcpLimits = {
  maxBytes: 16 * 1024 * 1024,
  maxDepth: 200,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 16 * 1024 * 1024,
};
