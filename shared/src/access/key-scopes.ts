/**
 * What a key may be good for. `chat`: conversations, and what they need of apps, models and prompts; also the
 * interface of OpenAI. `skills`: to list and read skills. `mcp`: the Model Context Protocol.
 */
export const keyScopes = ['chat', 'skills', 'mcp'] as const;
export type KeyScope = (typeof keyScopes)[number];
