import { useLayoutEffect, useRef, useState } from 'react';

type Callbacks = Record<string, (...parameters: never[]) => void>;

/**
 * Returns stable functions that call those of the latest render, so that their receivers need not re-render.
 * Must not be called during rendering.
 */
export function useStableCallbacks<Given extends Callbacks>(latest: Given): Given {
  const current = useRef(latest);
  useLayoutEffect(() => {
    current.current = latest;
  });
  const [stable] = useState(() => {
    const entries = Object.keys(latest).map((name) => [
      name,
      (...parameters: never[]) => current.current[name]?.(...parameters),
    ]);
    return Object.fromEntries(entries) as Given;
  });
  return stable;
}
