/** What a key may be good for, in words. */
export const scopeNames = {
  chat: 'adminKeys.scopes.chat',
  skills: 'adminKeys.scopes.skills',
  mcp: 'adminKeys.scopes.mcp',
} as const;
