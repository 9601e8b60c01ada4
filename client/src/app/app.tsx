import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { lazy, Suspense, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from './create-query-client.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Gate } from './gate.tsx';
import { cssVariables, theme } from './theme.ts';

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));

/** The whole client, from its providers down. */
export function App({ translations }: { translations: i18n }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <I18nextProvider i18n={translations}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <ErrorBoundary>
          <QueryClientProvider client={queryClient}>
            {/* As transitions, changes of place would wait until an answer has streamed. */}
            <BrowserRouter useTransitions={false}>
              <Gate />
              <Suspense>
                <Toasts />
              </Suspense>
            </BrowserRouter>
          </QueryClientProvider>
        </ErrorBoundary>
      </MantineProvider>
    </I18nextProvider>
  );
}
