import './zod-without-eval.ts';
import './app/mantine.css';
import './app/theme.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { trackVisualViewport } from './app/track-visual-viewport.ts';
import { type Language, preferredLanguage } from './i18n/languages.ts';
import { startI18n } from './i18n/start-i18n.ts';
import { loadTexts } from './ui/loading/load-texts.ts';
import { styleNonce } from './ui/style-nonce.ts';

const root = document.getElementById('root');
if (root) {
  trackVisualViewport();
  // For the style element that prevents scrolling behind a dialog.
  setNonce(styleNonce());
  void show(root, preferredLanguage());
}

/** Renders the page in a language, or in English if its texts cannot be loaded. */
async function show(element: HTMLElement, language: Language): Promise<void> {
  const translations = startI18n(language);
  await loadTexts('common').catch(() => translations.changeLanguage('en'));
  createRoot(element).render(
    <StrictMode>
      <App translations={translations} />
    </StrictMode>,
  );
}
