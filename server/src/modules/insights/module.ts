import type { Module } from '../../platform/http/module.ts';
import { analyticsRoutes } from './routes/analytics-routes.ts';
import { metricsRoutes } from './routes/metrics-routes.ts';
import { traceRoutes } from './routes/trace-routes.ts';

export const insights = {
  routes: [traceRoutes, analyticsRoutes, metricsRoutes],
} satisfies Module;
