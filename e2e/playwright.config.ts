import { defineConfig } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

/** Tests of long and complex pages, which a browser formats in seconds: other browsers would slow them down. */
const alone = '**/{answer-parts,hostile-answer,long-conversation,reading}.spec.ts';

export default defineConfig({
  testDir: 'specs',
  outputDir: 'results',
  // `npm test` runs one after the other.
  projects: [
    // Many tests wait for the server: three workers share two cores well.
    { name: 'together', testIgnore: alone, workers: 3 },
    { name: 'alone', testMatch: alone, workers: 1 },
  ],
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
