import { useCallback, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';

/** Storage key prefix of everything that a sign-out deletes. */
const prefix = 'knowhow-draft:';
/** Debounce delay before storing, in ms: the value may be large. */
const pause = 500;

/** State that survives a reload and an expired session; deleted once it equals `initial`. */
export function usePersistedState<Schema extends z.ZodType>(
  key: string,
  schema: Schema,
  initial: z.output<Schema>,
) {
  const [kept] = useState(() => readStored(key, schema));
  const [value, setValue] = useState(kept ?? initial);
  const unstored = useRef<{ value: typeof value }>(undefined);

  /** Writes only changes: a sign-out may have deleted the stored value. */
  const flush = useCallback(() => {
    if (unstored.current) {
      store(key, unstored.current.value, initial);
      unstored.current = undefined;
    }
  }, [key, initial]);

  useEffect(() => {
    unstored.current = { value };
    const timer = setTimeout(flush, pause);
    return () => clearTimeout(timer);
  }, [value, flush]);

  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  /** Immediately, before the page is left. */
  function forget() {
    unstored.current = { value: initial };
    flush();
    setValue(initial);
  }

  return { value, setValue, forget, wasKept: kept !== undefined };
}

function readStored<Schema extends z.ZodType>(key: string, schema: Schema) {
  try {
    return schema.safeParse(JSON.parse(sessionStorage.getItem(prefix + key) ?? '')).data;
  } catch {
    return undefined;
  }
}

function store<Value>(key: string, value: Value, initial: Value): void {
  sessionStorage.removeItem(prefix + key);
  if (value !== initial) {
    try {
      sessionStorage.setItem(prefix + key, JSON.stringify(value));
    } catch {
      // Storage is full. The value stays on the page, which warns before it is left.
    }
  }
}
