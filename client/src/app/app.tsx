import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { Suspense, useEffect, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
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
    </I18nextProvider>
  );
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
