/**
 * Scopes of keys. `chat`: conversations with their apps, models and prompts, and the
 * OpenAI-compatible API. `skills`: list and read skills. `mcp`: the Model Context Protocol.
 */
export const keyScopes = ['chat', 'skills', 'mcp'] as const;
export type KeyScope = (typeof keyScopes)[number];
