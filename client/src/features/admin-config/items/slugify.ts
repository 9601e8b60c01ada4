/** Slug of a name: lower-case letters and digits separated by hyphens. */
export function slugify(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[äöü]/g, (umlaut) => `${umlaut.normalize('NFD').charAt(0)}e`)
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100);
}
