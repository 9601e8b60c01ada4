import { useEffect, useState } from 'react';

/** Calls a function with a value at once, or as soon as it becomes possible, then only with the latest value. */
export function useDeferredCall<Value>(
  isReady: boolean,
  act: (value: Value) => void,
): (value: Value) => void {
  const [waiting, setWaiting] = useState<{ value: Value }>();
  useEffect(() => {
    if (waiting && isReady) {
      setWaiting(undefined);
      act(waiting.value);
    }
  });
  return (value) => (isReady ? act(value) : setWaiting({ value }));
}
