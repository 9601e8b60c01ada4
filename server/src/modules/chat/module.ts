import type { Module } from '../../platform/http/module.ts';
import { chatRoutes } from './routes/chat-routes.ts';
import { conversationSkillRoutes } from './routes/conversation-skill-routes.ts';
import { skillTranslationRoutes } from './routes/skill-translation-routes.ts';

export const chat = {
  routes: [chatRoutes, conversationSkillRoutes, skillTranslationRoutes],
} satisfies Module;
