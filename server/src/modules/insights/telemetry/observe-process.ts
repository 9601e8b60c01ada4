import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Meter } from '@opentelemetry/api';
import type { Gauges } from './telemetry.ts';

const nanoseconds = 1e-9;

/** Exposes metrics of this process and its loaded state. Returns a function that stops it. */
export function observeProcess(meter: Meter, gauges: Gauges): () => void {
  observe(meter, 'knowhow.turns.running', '{turn}', 'Turns running in this process.', () =>
    gauges.runningTurns(),
  );
  observe(meter, 'knowhow.skills.scan.duration', 's', 'Reading all skills at startup.', () =>
    gauges.scanSeconds(),
  );
  meter
    .createObservableGauge('knowhow.skills', { unit: '{skill}', description: 'Skills, by state.' })
    .addCallback((result) => {
      for (const [state, count] of Object.entries(gauges.skills())) {
        result.observe(count, { 'knowhow.skill.state': state });
      }
    });
  observe(meter, 'process.memory.usage', 'By', 'Physical memory in use.', () =>
    process.memoryUsage.rss(),
  );
  meter
    .createObservableGauge('v8js.memory.heap.used', { unit: 'By', description: 'Used by V8.' })
    .addCallback((result) => {
      for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
        result.observe(space_used_size, { 'v8js.heap.space.name': space_name });
      }
    });
  observe(meter, 'process.uptime', 's', 'Since the start of the process.', () => process.uptime());
  meter
    .createObservableCounter('process.cpu.time', { unit: 's', description: 'Processor time used.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / 1e6, { 'cpu.mode': 'user' });
      result.observe(system / 1e6, { 'cpu.mode': 'system' });
    });
  return observeDelay(meter);
}

function observe(
  meter: Meter,
  name: string,
  unit: string,
  description: string,
  read: () => number | undefined,
): void {
  meter.createObservableGauge(name, { unit, description }).addCallback((result) => {
    const value = read();
    if (value !== undefined) {
      result.observe(value);
    }
  });
}

/** Event loop delay since the metrics were last read. */
function observeDelay(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const gauge = (name: string, what: string) =>
    meter.createObservableGauge(`nodejs.eventloop.delay.${name}`, {
      unit: 's',
      description: `Event loop delay since the last read: ${what}.`,
    });
  const [p50, p99, max] = [
    gauge('p50', 'median'),
    gauge('p99', '99th percentile'),
    gauge('max', 'longest'),
  ];
  meter.addBatchObservableCallback(
    (result) => {
      if (delay.count > 0) {
        result.observe(p50, delay.percentile(50) * nanoseconds);
        result.observe(p99, delay.percentile(99) * nanoseconds);
        result.observe(max, delay.max * nanoseconds);
        delay.reset();
      }
    },
    [p50, p99, max],
  );
  return () => {
    delay.disable();
  };
}
