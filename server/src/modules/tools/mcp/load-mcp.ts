/** Loads the server of `/mcp` when its first request arrives: the protocol's package takes long to load. */
export function loadMcpServer() {
  return import('./answer-mcp.ts');
}
