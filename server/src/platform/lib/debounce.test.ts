import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from './debounce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function counted() {
  const run = vi.fn();
  return { run, quiet: debounce(100, run) };
}

test('runs once after the last trigger', () => {
  const { run, quiet } = counted();
  quiet.trigger();
  vi.advanceTimersByTime(80);
  quiet.trigger();
  vi.advanceTimersByTime(90);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(1);
  quiet.trigger();
  vi.advanceTimersByTime(110);
  expect(run).toHaveBeenCalledTimes(2);
});

test('waits no longer than the maximum', () => {
  const run = vi.fn();
  const quiet = debounce(100, run, 2000);
  for (let time = 0; time < 1950; time += 50) {
    quiet.trigger();
    vi.advanceTimersByTime(50);
  }
  expect(run).not.toHaveBeenCalled();
  quiet.trigger();
  vi.advanceTimersByTime(60);
  expect(run).toHaveBeenCalledTimes(1);
});

test('runs periodically while being triggered', () => {
  const { run, quiet } = counted();
  for (let time = 0; time < 3000; time += 50) {
    quiet.trigger();
    vi.advanceTimersByTime(50);
  }
  expect(run.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(run.mock.calls.length).toBeLessThanOrEqual(3);
});

test('does not run after being cancelled', () => {
  const { run, quiet } = counted();
  quiet.trigger();
  quiet.cancel();
  vi.advanceTimersByTime(5000);
  expect(run).not.toHaveBeenCalled();
});
