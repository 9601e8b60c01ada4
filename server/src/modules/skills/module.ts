import type { Module } from '../../platform/http/module.ts';
import { skillRoutes } from './routes/skill-routes.ts';

export const skills = {
  routes: [skillRoutes],
} satisfies Module;
