import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, vi } from 'vitest';
import { addAdminTexts } from '../i18n/add-admin-texts.ts';
import { startI18n } from '../i18n/start-i18n.ts';

/** Answers of the server, by path without its query. */
type Answers = Record<string, unknown>;

/** Renders a part of the app as it stands in it, in English, before a server that answers this. */
export function renderApp(element: ReactElement, answers: Answers = {}): void {
  const translations = startI18n('en');
  addAdminTexts(translations);
  stubBrowser();
  vi.stubGlobal('fetch', async (address: string) => Response.json(answers[pathOf(address)]));
  render(
    <I18nextProvider i18n={translations}>
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter>{element}</MemoryRouter>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>,
  );
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

function pathOf(address: string): string {
  return address.split('?')[0] ?? '';
}

/** What jsdom lacks. */
function stubBrowser(): void {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') });
  Element.prototype.scrollIntoView = () => undefined;
}
