import { defineConfig } from '@playwright/test';
import stories from './playwright.config.ts';

/** `npm run screenshots` makes pictures with what the browser tests use. */
export default defineConfig(stories, {
  testDir: '.',
  testMatch: ['screenshots.ts', 'admin-screenshots.ts'],
});
