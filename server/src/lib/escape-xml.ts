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
 * Escapes all five XML characters, for text and for attributes. Wide ones too: a language model reads
 * them as the same.
 */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'＜﹤＞﹥＂＇]/g, (character) => entities[character] ?? character);
}
