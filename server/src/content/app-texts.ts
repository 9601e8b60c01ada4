import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { App } from '@knowhow/shared/config/apps';
import { type Localized, localizedSchema } from '@knowhow/shared/config/localized';

/** What an empty conversation of an app shows, however its file says it. */
export function greetingOf({ greeting, name, description }: AppConfig): App['greeting'] {
  const below = description ?? '';
  if (greeting === undefined) {
    return { title: name, subtitle: below };
  }
  if (typeof greeting === 'object' && 'title' in greeting) {
    const { title, subtitle } = greeting as { title: Localized; subtitle?: Localized };
    return { title, subtitle: subtitle ?? below };
  }
  const alone = localizedSchema.safeParse(greeting).data;
  if (alone !== undefined) {
    return { title: alone, subtitle: below };
  }
  const byLanguage = Object.entries(
    greeting as Record<string, { title: string; subtitle?: string }>,
  );
  const subtitles = byLanguage.flatMap(([language, { subtitle }]) =>
    subtitle === undefined ? [] : [[language, subtitle] as const],
  );
  return {
    title: Object.fromEntries(byLanguage.map(([language, { title }]) => [language, title])),
    subtitle: subtitles.length > 0 ? Object.fromEntries(subtitles) : below,
  };
}

/** The suggestions of an app; one without a title is its own. */
export function startersOf({ starterPrompts = [] }: AppConfig): App['starterPrompts'] {
  return starterPrompts.map((starter) => {
    if (typeof starter === 'object' && 'message' in starter) {
      const { title, outcome, message } = starter as App['starterPrompts'][number];
      return { title, ...(outcome !== undefined && { outcome }), message };
    }
    const text = (
      typeof starter === 'object' && 'text' in starter ? starter.text : starter
    ) as Localized;
    return { title: text, message: text };
  });
}
