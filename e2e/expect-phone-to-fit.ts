import { expect, type Page } from '@playwright/test';
import { findSeriousViolations } from './find-serious-violations.ts';

/** On a phone, a page needs no scrolling sideways and has no serious accessibility violation, dark or light. */
export async function expectPhoneToFit(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await findSeriousViolations(page)).toEqual([]);
}
