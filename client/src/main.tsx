import './zod-without-eval.ts';
import './app/mantine.css';
import './app/theme.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { followKeyboard } from './app/follow-keyboard.ts';
import { preferredLanguage } from './i18n/languages.ts';
import { startI18n } from './i18n/start-i18n.ts';
import { styleNonce } from './ui/style-nonce.ts';

const root = document.getElementById('root');
if (root) {
  followKeyboard();
  // For the style that keeps the page behind a dialog from scrolling.
  setNonce(styleNonce());
  createRoot(root).render(
    <StrictMode>
      <App translations={startI18n(preferredLanguage())} />
    </StrictMode>,
  );
}
