import { useEffect, useState } from 'react';

/** Does something with a value at once, or as soon as it can be done; then only with the last one. */
export function useWhenReady<Value>(
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
