import { useCallback, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';

/** What a sign-out forgets begins so. */
const prefix = 'knowhow-draft:';
/** How long nothing must have changed before it is stored, in ms: it may be much. */
const pause = 500;

/** A state that outlives a reload and a lost session; it is thrown away once it is `initial` again. */
export function useKept<Schema extends z.ZodType>(
  key: string,
  schema: Schema,
  initial: z.output<Schema>,
) {
  const [kept] = useState(() => stored(key, schema));
  const [value, setValue] = useState(kept ?? initial);
  const unstored = useRef<{ value: typeof value }>(undefined);

  /** Only what is new: a sign-out may have thrown away what was stored before. */
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

  /** At once, for a page that is about to be left. */
  function forget() {
    unstored.current = { value: initial };
    flush();
    setValue(initial);
  }

  return { value, setValue, forget, wasKept: kept !== undefined };
}

function stored<Schema extends z.ZodType>(key: string, schema: Schema) {
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
      // There is no room for that much. It stays on the page, which warns before it is left.
    }
  }
}
