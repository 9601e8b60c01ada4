import type { Request } from 'express';

/** The value of a request cookie. */
export function getCookie(request: Request, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length);
}
