import { randomUUID } from 'node:crypto';

/**
 * A time-ordered UUID (version 7, RFC 9562) for row keys: recent rows are adjacent in an index, so
 * that a commit writes few pages.
 */
export function uuidv7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
