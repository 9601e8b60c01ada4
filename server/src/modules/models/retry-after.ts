const maxSeconds = 24 * 60 * 60;

/**
 * Seconds to wait before a retry, from `retry-after-ms`, `retry-after` (seconds or an HTTP date) or Google's
 * `retryDelay` in the body. Undefined if there is no valid value.
 */
export function retryAfter(
  answer: { headers?: Headers; body: string },
  now = Date.now(),
): number | undefined {
  const header = answer.headers?.get('retry-after') ?? '';
  const milliseconds = answer.headers?.get('retry-after-ms') ?? '';
  const delay = /"retryDelay":\s*"([\d.]+)s"/.exec(answer.body)?.[1] ?? '';
  const seconds = [
    Number.parseFloat(milliseconds) / 1000,
    /^[\d.]+$/.test(header) ? Number.parseFloat(header) : (Date.parse(header) - now) / 1000,
    Number.parseFloat(delay),
  ].find((value) => value >= 0 && value <= maxSeconds);
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
}
