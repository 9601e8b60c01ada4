/**
 * Limits of one server message, over HTTP and stdio. The library validates a whole message at once:
 * 50,000 values take 100 ms, enough for 500 tools with 30 described parameters each.
 */
export const mcpLimits = {
  maxBytes: 16 * 1024 * 1024,
  maxDepth: 200,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 16 * 1024 * 1024,
};
