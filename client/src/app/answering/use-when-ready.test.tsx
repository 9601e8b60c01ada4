import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useDeferredCall } from './use-when-ready.ts';

test('runs a premature request once, as soon as it becomes possible', () => {
  const done: string[] = [];
  const { result, rerender } = renderHook(
    ({ isReady }) => useDeferredCall(isReady, (value: string) => done.push(value)),
    { initialProps: { isReady: false } },
  );
  act(() => result.current('early'));
  expect(done).toEqual([]);
  rerender({ isReady: true });
  rerender({ isReady: true });
  act(() => result.current('later'));
  expect(done).toEqual(['early', 'later']);
});
