import type { Module } from '../../platform/http/module.ts';
import { chatRoutes } from './routes/chat-routes.ts';

export const chat = {
  routes: [chatRoutes],
} satisfies Module;
