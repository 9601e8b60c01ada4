import type { Localized } from '@knowhow/shared/config/localized';

/** The names in `[brackets]` in a text, in any of its languages, each once. */
export function bracketNames(text: Localized | undefined): string[] {
  const texts = typeof text === 'object' ? Object.values(text) : [text ?? ''];
  const names = texts.flatMap((one) =>
    [...one.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}
