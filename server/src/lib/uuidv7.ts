import { randomUUID } from 'node:crypto';

/**
 * A UUID that begins with the time (version 7 of RFC 9562), for keys of rows: those of today are then next
 * to each other in an index, and a commit writes few of its pages.
 */
export function uuidv7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
