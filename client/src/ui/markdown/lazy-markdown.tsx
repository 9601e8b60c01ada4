import { lazyPart } from '../loading/lazy-part.tsx';
import { PlainText } from '../text/plain-text.tsx';

const load = async () => (await import('./markdown.tsx')).Markdown;

/** Shows Markdown, and where that cannot be loaded the text as it was written. Needs a `Suspense`. */
export const Markdown = lazyPart(load, ({ text }) => (
  <p>
    <PlainText text={text} />
  </p>
));

/** Called early, so that it is there when the first answer comes. */
export async function preloadMarkdown(): Promise<void> {
  // Whoever shows it tries again.
  await load().catch(() => undefined);
}
