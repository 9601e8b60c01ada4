import type { Localized } from '@knowhow/shared/config/localized';

/** The distinct `[names]` in a text, in any of its languages. */
export function findPlaceholders(text: Localized | undefined): string[] {
  const texts = typeof text === 'object' ? Object.values(text) : [text ?? ''];
  const names = texts.flatMap((one) =>
    [...one.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}
