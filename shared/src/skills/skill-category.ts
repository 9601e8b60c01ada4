/**
 * The key by which categories are compared: case and surrounding spaces do not count. Undefined for a
 * skill without a category.
 */
export function categoryKey(category: string | undefined): string | undefined {
  return category?.normalize('NFC').trim().toLowerCase() || undefined;
}
