/** Labels of the scopes of a key. */
export const scopeNames = {
  chat: 'adminKeys.scopes.chat',
  skills: 'adminKeys.scopes.skills',
  mcp: 'adminKeys.scopes.mcp',
} as const;
