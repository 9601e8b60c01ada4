import { defineConfig } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

export default defineConfig({
  testDir: 'specs',
  outputDir: 'results',
  // Many tests wait for the server: three workers share two cores well.
  workers: 3,
  fullyParallel: true,
  reporter: 'line',
  // Password hashing has a low priority.
  expect: { timeout: 10_000 },
  timeout: 40_000,
  use: {
    actionTimeout: 10_000,
    launchOptions: await findChromium(),
    locale: 'en-GB',
    // A service worker would bypass the tests' network mocks.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
});
