/**
 * A program that runs a call gives its id back with the result, and nothing else that it does not know: so the
 * skills that were active when it was made stand in it. Names only, which pass the gate again.
 */

const mark = '.kh.';

export function idWithSkills(id: string, skills: readonly string[]): string {
  return skills.length === 0
    ? id
    : `${id}${mark}${Buffer.from(skills.join('\n')).toString('base64url')}`;
}

/** Names of skills in the id of a call; none in one that is not ours. */
export function skillsInId(id: string): string[] {
  const at = id.lastIndexOf(mark);
  return at < 0
    ? []
    : Buffer.from(id.slice(at + mark.length), 'base64url')
        .toString()
        .split('\n')
        .filter((name) => name !== '');
}

/** The id as the model made it. */
export function plainId(id: string): string {
  const at = id.lastIndexOf(mark);
  return at < 0 ? id : id.slice(0, at);
}
