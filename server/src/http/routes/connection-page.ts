import { escapeXml } from '../../lib/escape-xml.ts';
import { plainPage } from '../plain-page.ts';

const texts = {
  en: {
    done: 'You are signed in',
    doneText: (title: string) =>
      `You are signed in to ${title}. Close this page and return to Knowhow.`,
    failed: 'You are not signed in',
    back: 'Back to Knowhow',
  },
  de: {
    done: 'Sie sind angemeldet',
    doneText: (title: string) =>
      `Sie sind bei ${title} angemeldet. Schließen Sie diese Seite und machen Sie in Knowhow weiter.`,
    failed: 'Sie sind nicht angemeldet',
    back: 'Zu Knowhow',
  },
};

/** The page shown after a sign-in to a tool server (OAuth callback). */
export function connectionPage(
  wanted: string,
  outcome: { title: string } | { failure: string },
): string {
  const language = wanted.startsWith('de') ? 'de' : 'en';
  const text = texts[language];
  const isDone = 'title' in outcome;
  const words = isDone ? text.doneText(outcome.title) : outcome.failure;
  return plainPage(
    { title: isDone ? text.done : text.failed, language },
    `<p>${escapeXml(words)}</p><p><a href="/">${text.back}</a></p>`,
  );
}
