import { createHash } from 'node:crypto';

/** The id by which people answer to a call, in an address; that of the model, which may be anything, where it is plain and short. */
export function publicCallId(id: string): string {
  const isPlain = /^[\w.:-]{1,200}$/.test(id);
  return isPlain ? id : `call-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
