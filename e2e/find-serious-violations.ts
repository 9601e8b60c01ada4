import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Serious or critical axe violations on the current page, one line per rule.
 *
 * Legacy mode skips only cross-origin frames and takes a third of the time: the default mode opens a separate
 * page for the report. Fails if the page has frames, so that nothing is skipped.
 */
export async function findSeriousViolations(page: Page): Promise<string[]> {
  expect(page.frames(), 'frames of the page').toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // By default the report also describes passing elements, which are most of it.
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
