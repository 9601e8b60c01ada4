const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The key by which categories are compared: case, surrounding spaces, forms such as full width, and characters that
 * cannot be seen do not count. Undefined for a skill without a category.
 */
export function categoryKey(category: string | undefined): string | undefined {
  return category?.normalize('NFKC').replace(ignorable, '').trim().toLowerCase() || undefined;
}
