import { useLayoutEffect, useRef, useState } from 'react';

type Callbacks = Record<string, (...parameters: never[]) => void>;

/**
 * The same functions at each render, under the same names; each does what the latest render gave. So
 * that what takes them need not be rendered again. Not to be called while rendering.
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
