/** Scopes of service keys. Skills have authors, and a service key acts for no person. */
export const serviceKeyScopes = ['chat', 'skills', 'mcp'] as const;

/**
 * Scopes of keys. `chat`: conversations with their apps, models and prompts, and the
 * OpenAI-compatible API. `skills`: list and read skills. `mcp`: the Model Context Protocol. `authoring`: save, submit
 * and publish drafts of skills, with the rights of the key's user.
 */
export const keyScopes = [...serviceKeyScopes, 'authoring'] as const;
export type KeyScope = (typeof keyScopes)[number];
export type ServiceKeyScope = (typeof serviceKeyScopes)[number];
