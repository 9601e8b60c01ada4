import { healthApi } from '@knowhow/shared/config/health';
import type { Router } from 'express';
import { metricsType } from '../../modules/insights/telemetry/serve-metrics.ts';
import type { Telemetry } from '../../modules/insights/telemetry/telemetry.ts';
import { register } from '../route.ts';

export function metricsRoutes(router: Router, { telemetry }: { telemetry: Telemetry }): void {
  register(router, healthApi.metrics, async (_request, response) => {
    response.type(metricsType).send(await telemetry.readMetrics());
  });
}
