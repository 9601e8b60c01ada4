/**
 * The available language that fits a language tag (RFC 5646) best: the same tag in any case, else its primary
 * language (`de` for `de-AT`), else a regional form of that (`pt-BR` for `pt`). Undefined if there is none.
 */
export function matchLanguage(tag: string, available: readonly string[]): string | undefined {
  const wanted = tag.toLowerCase();
  const primary = getPrimary(wanted);
  return (
    available.find((language) => language.toLowerCase() === wanted) ??
    available.find((language) => language.toLowerCase() === primary) ??
    available.find((language) => getPrimary(language.toLowerCase()) === primary)
  );
}

function getPrimary(tag: string): string {
  return tag.split('-')[0] ?? tag;
}
