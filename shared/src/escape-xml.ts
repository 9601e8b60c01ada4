const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '＜': '&lt;',
  '﹤': '&lt;',
  '＞': '&gt;',
  '﹥': '&gt;',
  '＂': '&quot;',
  '＇': '&apos;',
};

/**
 * Escapes all five XML characters for text and attributes. Also escapes fullwidth forms, which
 * language models read as equivalent.
 */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'＜﹤＞﹥＂＇]/g, (character) => entities[character] ?? character);
}
