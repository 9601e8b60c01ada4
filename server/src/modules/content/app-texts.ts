import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { App } from '@knowhow/shared/config/apps';
import { type Localized, localizedSchema } from '@knowhow/shared/config/localized';

/** The greeting of an app, normalised from the formats that its file may use. */
export function getGreeting({ greeting, name, description }: AppConfig): App['greeting'] {
  const defaultSubtitle = description ?? '';
  if (greeting === undefined) {
    return { title: name, subtitle: defaultSubtitle };
  }
  if (typeof greeting === 'object' && 'title' in greeting) {
    const { title, subtitle } = greeting as { title: Localized; subtitle?: Localized };
    return { title, subtitle: subtitle ?? defaultSubtitle };
  }
  const titleOnly = localizedSchema.safeParse(greeting).data;
  if (titleOnly !== undefined) {
    return { title: titleOnly, subtitle: defaultSubtitle };
  }
  const byLanguage = Object.entries(
    greeting as Record<string, { title: string; subtitle?: string }>,
  );
  const subtitles = byLanguage.flatMap(([language, { subtitle }]) =>
    subtitle === undefined ? [] : [[language, subtitle] as const],
  );
  return {
    title: Object.fromEntries(byLanguage.map(([language, { title }]) => [language, title])),
    subtitle: subtitles.length > 0 ? Object.fromEntries(subtitles) : defaultSubtitle,
  };
}

/** The starter prompts of an app; one without a title uses its message as the title. */
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
