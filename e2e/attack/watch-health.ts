import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from '../bench/statistics.ts';
import type { Knowhow } from '../start-knowhow.ts';
import type { HealthSample } from './monitor.ts';

/** Health check durations in milliseconds, minus what the machine took. */
export interface Health {
  worst: number;
  p999: number;
  /** The worst, including what the machine took. */
  raw: number;
  asked: number;
  failed: number;
}

export interface HealthWatch {
  /** Since the last call. */
  read(): Promise<Health>;
  stop(): void;
}

/** Monitors a server from a separate process (`monitor.ts`). */
export async function watchHealth({ url, pid }: Knowhow): Promise<HealthWatch> {
  const child = fork(fileURLToPath(new URL('./monitor.js', import.meta.url)), [url, String(pid)]);
  await once(child, 'message');
  return {
    read: async () => {
      child.send('read');
      const [samples] = (await once(child, 'message')) as [HealthSample[]];
      const delays = samples.map(({ server, machine }) => Math.max(0, server - machine));
      return {
        worst: Math.max(0, ...delays),
        p999: quantile([0, ...delays], 0.999),
        raw: Math.max(0, ...samples.map(({ server }) => server)),
        asked: samples.length,
        failed: samples.filter(({ failed }) => failed).length,
      };
    },
    stop: () => child.disconnect(),
  };
}
