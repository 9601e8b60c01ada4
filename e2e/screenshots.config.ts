import { defineConfig } from '@playwright/test';
import stories from './playwright.config.ts';

/** `npm run screenshots` takes the screenshots, with the setup of the browser tests. */
export default defineConfig(stories, {
  testDir: '.',
  testMatch: ['screenshots.ts', 'admin-screenshots.ts'],
});
