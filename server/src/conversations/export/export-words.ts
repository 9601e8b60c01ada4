import { localize } from '@knowhow/shared/config/localized';

const words = {
  you: { en: 'You', de: 'Sie' },
  skills: { en: 'Skills', de: 'Skills' },
  files: { en: 'Files', de: 'Dateien' },
  thinking: { en: 'Thinking', de: 'Überlegung' },
  input: { en: 'Arguments', de: 'Argumente' },
  result: { en: 'Result', de: 'Ergebnis' },
  stopped: { en: 'This answer was not finished.', de: 'Diese Antwort wurde nicht fertig.' },
};

export type ExportWords = Record<keyof typeof words, string>;

/** Labels in an export. */
export function exportWords(language: string): ExportWords {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [key, localize(text, language)]),
  ) as ExportWords;
}
