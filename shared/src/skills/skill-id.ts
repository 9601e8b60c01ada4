/** Separates the name of a personal skill from its owner's name. The names of other skills do not contain it. */
const separator = '@';

/** The id of a personal skill, such as `invoices@anna`. */
export function personalSkillId(name: string, owner: string): string {
  return `${name}${separator}${owner}`;
}

export function isPersonalSkillId(id: string): boolean {
  return id.includes(separator);
}

/** The name of a personal skill without its owner. */
export function personalSkillName(id: string): string {
  return id.slice(0, id.lastIndexOf(separator));
}
