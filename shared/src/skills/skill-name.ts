const nameRule = /^[\p{Ll}\p{Lm}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lm}\p{Lo}\p{N}]+)*$/u;

/** A fast path for ordinary names. */
const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const maxLength = 64;

/**
 * Whether a name conforms to the Agent Skills specification: 1 to 64 lower-case letters and digits
 * of any script, with single hyphens inside. Measured in code points after NFKC.
 */
export function isSkillName(name: string): boolean {
  if (plainName.test(name)) {
    return name.length <= maxLength;
  }
  const normal = name.normalize('NFKC');
  return [...normal].length <= maxLength && nameRule.test(normal);
}

/** Whether a name is safe everywhere: 1 to 64 of `a-z`, `0-9` and single hyphens inside. */
export function isPlainSkillName(name: string): boolean {
  return name.length <= maxLength && plainName.test(name);
}

/** The most similar valid skill name; empty if nothing usable remains. */
export function slug(name: string): string {
  if (isPlainSkillName(name)) {
    return name;
  }
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lm}\p{Lo}\p{N}]+/gu, '-');
  return [...words]
    .slice(0, maxLength)
    .join('')
    .replace(/^-+|-+$/g, '');
}
