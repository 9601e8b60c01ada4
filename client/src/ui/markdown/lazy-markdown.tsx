import { lazyPart } from '../loading/lazy-part.tsx';
import { PlainText } from '../text/plain-text.tsx';

const load = async () => (await import('./markdown.tsx')).Markdown;

/** Renders Markdown, or the raw text if the renderer cannot be loaded. Needs a `Suspense`. */
export const Markdown = lazyPart(load, ({ text }) => (
  <p>
    <PlainText text={text} />
  </p>
));

/** Preloads it before the first answer. */
export async function preloadMarkdown(): Promise<void> {
  // The component that renders it retries.
  await load().catch(() => undefined);
}
