const nameRule = /^[\p{Ll}\p{Lm}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lm}\p{Lo}\p{N}]+)*$/u;

/**
 * Whether a name follows the Agent Skills specification: 1 to 64 lower-case letters and digits of
 * any script, with single hyphens inside. Measured in code points after NFKC.
 */
export function isSkillName(name: string): boolean {
  const normal = name.normalize('NFKC');
  return [...normal].length <= 64 && nameRule.test(normal);
}

/** The nearest legal skill name; empty when nothing usable is left. */
export function slug(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lm}\p{Lo}\p{N}]+/gu, '-');
  return [...words]
    .slice(0, 64)
    .join('')
    .replace(/^-+|-+$/g, '');
}
