import { hostPattern } from '@knowhow/shared/skills/skill-tool-settings';

/** The hosts in a text, one per line, and the invalid lines. */
export function parseHosts(text: string): { hosts: string[]; wrong: string[] } {
  const lines = text.split(/[\n,]/).filter((line) => line.trim() !== '');
  const hosts = lines.flatMap((line) => parseHost(line) ?? []);
  const wrong = lines.filter((line) => parseHost(line) === undefined).map((line) => line.trim());
  return { hosts: [...new Set(hosts)], wrong };
}

/** The host of a typed or pasted text, also of a whole URL; undefined if invalid. */
function parseHost(typed: string): string | undefined {
  const text = typed.trim().toLowerCase();
  const host = URL.canParse(text) && text.includes('://') ? new URL(text).host : text;
  return hostPattern.test(host) ? host : undefined;
}
