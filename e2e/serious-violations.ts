import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * What axe finds serious or critical on a page as it is now, a line for each rule.
 *
 * The mode called legacy leaves out but frames of other origins, and takes a third of the time: the
 * other one opens a page of its own for the report. A page with a frame is refused, so that nothing
 * is left out.
 */
export async function seriousViolations(page: Page): Promise<string[]> {
  expect(page.frames(), 'frames of the page').toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // The elements that are in order would be described, too, and are most of the report.
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
