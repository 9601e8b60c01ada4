import { plainPage } from '../../../platform/http/plain-page.ts';
import { escapeXml } from '../../../platform/lib/escape-xml.ts';
import { fillIn } from '../../../platform/lib/fill-in.ts';
import { findLanguage, findTexts } from '../../../platform/lib/locales.ts';

/** The page shown after a sign-in to a tool server (OAuth callback). */
export function connectionPage(
  wanted: string,
  outcome: { title: string } | { failure: string },
): string {
  const texts = findTexts(wanted).connectionPage;
  const isDone = 'title' in outcome;
  const words = isDone ? fillIn(texts.doneText, { server: outcome.title }) : outcome.failure;
  return plainPage(
    { title: isDone ? texts.done : texts.failed, language: findLanguage(wanted) },
    `<p>${escapeXml(words)}</p><p><a href="/">${escapeXml(texts.back)}</a></p>`,
  );
}
