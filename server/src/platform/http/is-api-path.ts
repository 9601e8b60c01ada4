/** Whether a path belongs to programs; everything else belongs to the client: its files and pages. */
export function isApiPath(path: string): boolean {
  return /^\/(?:api|v1|mcp|metrics|git|\.well-known)(?:\/|$)/.test(path);
}
