import { defineConfig } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

export default defineConfig({
  testDir: 'specs',
  outputDir: 'results',
  // Many wait for the server: three share two cores well.
  workers: 3,
  fullyParallel: true,
  reporter: 'line',
  // A password is hashed when nothing else has to be done.
  expect: { timeout: 10_000 },
  timeout: 40_000,
  use: {
    actionTimeout: 10_000,
    launchOptions: await findChromium(),
    locale: 'en-GB',
    // Else it would stand between the page and what a test says of the network.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
});
