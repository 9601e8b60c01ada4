import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { I18nextProvider } from 'react-i18next';
import { onTestFinished, vi } from 'vitest';
import { asksAgain } from '../api/unreachable.ts';
import type { Language } from '../i18n/languages.ts';
import { startI18n } from '../i18n/start-i18n.ts';
import { GuardedRouter } from '../ui/guarded-router.tsx';
import { createMarkdownParser, MarkdownParserContext } from '../ui/markdown/markdown-parser.ts';
import { addAllTexts } from './all-texts.ts';
import { WorkerInPage } from './worker-in-page.ts';

/** Server responses by path without query; a function receives the query. */
type Answers = Record<string, unknown>;

/** Renders a part of the app with its providers and a fake server. */
export function renderApp(
  element: ReactElement,
  answers: Answers = {},
  language: Language = 'en',
): void {
  const translations = startI18n(language);
  addAllTexts(translations);
  stubBrowser();
  history.replaceState(null, '', '/');
  onTestFinished(() => {
    cleanup();
    notifications.clean();
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  vi.stubGlobal('fetch', async (address: string) => {
    const [path = '', query] = address.split('?');
    const answer = answers[path];
    return Response.json(
      typeof answer === 'function' ? answer(new URLSearchParams(query)) : answer,
    );
  });
  render(
    <I18nextProvider i18n={translations}>
      <MantineProvider env="test">
        <QueryClientProvider client={createClient()}>
          <MarkdownParserContext value={createMarkdownParser()}>
            <GuardedRouter>{element}</GuardedRouter>
          </MarkdownParserContext>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>,
  );
}

/** Asks again when the product does, too. */
function createClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: asksAgain } } });
}

/** Browser features that jsdom lacks. */
function stubBrowser(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: !/print|hover: none/.test(query),
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
  vi.stubGlobal('IntersectionObserver', EverythingIsNear);
  if (!('Worker' in globalThis)) {
    vi.stubGlobal('Worker', WorkerInPage);
  }
  vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') });
  Element.prototype.scrollIntoView = () => undefined;
}

/** Nothing has a height in jsdom, so everything is in view. */
class EverythingIsNear {
  readonly #tell: (entries: unknown[], observer: EverythingIsNear) => void;

  constructor(tell: (entries: unknown[], observer: EverythingIsNear) => void) {
    this.#tell = tell;
  }

  observe(target: Element) {
    this.#tell([{ isIntersecting: true, target }], this);
  }

  unobserve() {}

  disconnect() {}
}
