import type { Module } from '../../http/module.ts';
import { skillRoutes } from './routes/skill-routes.ts';

export const skills = {
  routes: [skillRoutes],
} satisfies Module;
