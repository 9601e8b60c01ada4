import { appsApi } from './apps.ts';
import { authApi } from './auth.ts';
import { chatApi } from './chat.ts';
import { conversationsApi } from './conversations.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { healthApi } from './health.ts';
import { modelsApi } from './models.ts';
import { promptsApi } from './prompts.ts';
import { skillsApi } from './skills.ts';

/** Every contract, by area: what OpenAPI is generated from and the access test walks. */
export const api = {
  health: healthApi,
  auth: authApi,
  apps: appsApi,
  models: modelsApi,
  prompts: promptsApi,
  skills: skillsApi,
  chat: chatApi,
  conversations: conversationsApi,
} satisfies Record<string, Record<string, AnyEndpoint>>;
