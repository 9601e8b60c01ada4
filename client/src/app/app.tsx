import { Button, DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { getDirection } from '../i18n/languages.ts';
import { GuardedRouter } from '../ui/guarded-router.tsx';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { createMarkdownParser, MarkdownParserContext } from '../ui/markdown/markdown-parser.ts';
import { styleNonce } from '../ui/style-nonce.ts';
import { createQueryClient } from './create-query-client.ts';
import { Gate } from './gate.tsx';
import { NoticePage } from './notice-page.tsx';
import { cssVariables, theme } from './theme.ts';

/** Error boundary with a page of its own. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <BrokenPage /> : this.props.children;
  }
}

function BrokenPage() {
  const { t } = useTranslation();
  return (
    <NoticePage title={t('broken.title')} text={t('broken.text')}>
      <Button onClick={() => location.reload()}>{t('broken.reload')}</Button>
    </NoticePage>
  );
}

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
