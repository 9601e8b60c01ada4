import { useEffect, useState } from 'react';

/** Threshold of the countdown, in seconds. */
const lastMinute = 60;

/** Seconds until a moment (ISO 8601), during the last minute; undefined before. */
export function useSecondsLeft(moment: string): number | undefined {
  const [left, setLeft] = useState(() => secondsUntil(moment));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(moment)), 1000);
    return () => clearInterval(timer);
  }, [moment]);
  return left < lastMinute ? left : undefined;
}

function secondsUntil(moment: string): number {
  return Math.max(0, Math.round((Date.parse(moment) - Date.now()) / 1000));
}
