import { defineConfig } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

export default defineConfig({
  testDir: 'specs',
  outputDir: 'results',
  workers: 2,
  fullyParallel: true,
  reporter: 'line',
  expect: { timeout: 5_000 },
  timeout: 20_000,
  use: {
    actionTimeout: 5_000,
    launchOptions: await findChromium(),
    locale: 'en-GB',
    screenshot: 'only-on-failure',
  },
});
