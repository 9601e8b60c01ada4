import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { Suspense, useEffect, useState } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { getDirection } from '../i18n/languages.ts';
import { GuardedRouter } from '../ui/guarded-router.tsx';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { createMarkdownParser, MarkdownParserContext } from '../ui/markdown/markdown-parser.ts';
import { styleNonce } from '../ui/style-nonce.ts';
import { createQueryClient } from './create-query-client.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Gate } from './gate.tsx';
import { cssVariables, theme } from './theme.ts';

const Toasts = lazyPart(
  async () => (await import('./toasts.tsx')).Toasts,
  () => null,
);

/** The root component with all providers. */
export function App({ translations }: { translations: i18n }) {
  const [queryClient] = useState(createQueryClient);
  const [markdownParser] = useState(createMarkdownParser);
  return (
    <I18nextProvider i18n={translations}>
      <DirectionProvider
        initialDirection={getDirection(translations.language)}
        detectDirection={false}
      >
        <FollowDirection />
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={styleNonce}
        >
          <ErrorBoundary>
            <QueryClientProvider client={queryClient}>
              <MarkdownParserContext value={markdownParser}>
                <GuardedRouter>
                  <Gate />
                  <WantedToasts />
                </GuardedRouter>
              </MarkdownParserContext>
            </QueryClientProvider>
          </ErrorBoundary>
        </MantineProvider>
      </DirectionProvider>
    </I18nextProvider>
  );
}

/** Tells Mantine the direction of the chosen language. */
function FollowDirection() {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  useEffect(() => setDirection(getDirection(i18n.language)), [i18n.language, setDirection]);
  return null;
}

/** Toasts are loaded at the first user interaction, because any action may end in one. */
function WantedToasts() {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    for (const type of ['pointerdown', 'keydown']) {
      window.addEventListener(type, () => setIsWanted(true), { signal: listening.signal });
    }
    return () => listening.abort();
  }, []);
  return <Suspense>{isWanted && <Toasts />}</Suspense>;
}
