import type { HrTime } from '@opentelemetry/api';

/** @param ms milliseconds since 1970, with fractions */
export function spanTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
