import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';

/** Whether a source takes the skill in a folder of its repository. */
export function isWantedSkill(
  { paths, include, exclude = [] }: Pick<SkillSourceConfig, 'paths' | 'include' | 'exclude'>,
  folder: string,
): boolean {
  const isBelow = (path: string) => {
    const plain = path.replace(/^\/+|\/+$/g, '');
    return plain === '' || folder === plain || folder.startsWith(`${plain}/`);
  };
  return (
    (paths === undefined || paths.length === 0 || paths.some(isBelow)) &&
    (include === undefined ||
      include.length === 0 ||
      include.some((each) => matches(each, folder))) &&
    !exclude.some((each) => matches(each, folder))
  );
}

/**
 * Whether a text matches a pattern in which `*` matches any characters. Takes at most the product of
 * both lengths in steps.
 */
function matches(pattern: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[from] === '*') {
      star = from;
      mark = at;
      from += 1;
    } else if (pattern[from] === text[at]) {
      from += 1;
      at += 1;
    } else if (star >= 0) {
      from = star + 1;
      mark += 1;
      at = mark;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(from));
}
