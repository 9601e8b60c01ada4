/**
 * Clients return a call's ID with its result, but drop unknown fields. Therefore the ID encodes the names of
 * the skills that were active. They are authorized again when they return.
 */

const separator = '.kh.';

export function encodeCallId(id: string, skills: readonly string[]): string {
  return skills.length === 0
    ? id
    : `${id}${separator}${Buffer.from(skills.join('\n')).toString('base64url')}`;
}

/** Names of the skills encoded in a call ID; none if the ID is not ours. */
export function decodeSkills(id: string): string[] {
  const at = id.lastIndexOf(separator);
  return at < 0
    ? []
    : Buffer.from(id.slice(at + separator.length), 'base64url')
        .toString()
        .split('\n')
        .filter((name) => name !== '');
}

/** The ID as the model generated it. */
export function plainId(id: string): string {
  const at = id.lastIndexOf(separator);
  return at < 0 ? id : id.slice(0, at);
}
