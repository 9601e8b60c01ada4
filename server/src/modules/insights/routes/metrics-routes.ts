import { healthApi } from '@knowhow/shared/config/health';
import type { Router } from 'express';
import { register } from '../../../platform/http/route.ts';
import { metricsType } from '../telemetry/serve-metrics.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export function metricsRoutes(router: Router, { telemetry }: { telemetry: Telemetry }): void {
  register(router, healthApi.metrics, async (_request, response) => {
    response.type(metricsType).send(await telemetry.readMetrics());
  });
}
