import type { Module } from '../../platform/http/module.ts';
import { chatRoutes } from './routes/chat-routes.ts';
import { conversationSkillRoutes } from './routes/conversation-skill-routes.ts';

export const chat = {
  routes: [chatRoutes, conversationSkillRoutes],
} satisfies Module;
