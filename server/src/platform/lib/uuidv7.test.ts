import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { uuidv7 } from './uuidv7.ts';

test('creates unique UUIDs ordered by time', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ids = Array.from({ length: 1000 }, () => {
    vi.advanceTimersByTime(1);
    return uuidv7();
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => z.uuidv7().safeParse(id).success)).toBe(true);
  expect(new Set(Array.from({ length: 1000 }, uuidv7)).size).toBe(1000);
});
