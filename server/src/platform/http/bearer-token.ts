import type { Request } from 'express';

/** The token in `Authorization: Bearer`. */
export function getBearerToken(request: Request): string | undefined {
  return /^Bearer[ \t]+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}
