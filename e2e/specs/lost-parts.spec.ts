import { expect, type Page } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';

/**
 * From now on no script or style sheet of the page can be loaded, as when the connection is lost or a new
 * version was deployed. Lets the page's preloads finish first: a browser never retries a module whose loading
 * was aborted.
 */
async function loseAssets(page: Page): Promise<() => Promise<void>> {
  await page.waitForLoadState('networkidle');
  await page.route('**/assets/**', (route) => route.abort());
  return () => page.unroute('**/assets/**');
}

test('a dialog that cannot be loaded keeps the page and the draft, and opens on the next try', async ({
  chat,
  page,
}) => {
  await chat.open();
  const find = await loseAssets(page);
  await chat.composer.fill('Half a thought');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('alert')).toContainText('could not be loaded');
  await expect(chat.composer).toHaveValue('Half a thought');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('alert')).toBeVisible();
  await find();
  await chat.button('Try again').click();
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.composer).toHaveValue('Half a thought');
});

test('without the answer renderer, answers appear as plain text, and are formatted later', async ({
  chat,
  page,
  provider,
}) => {
  provider.plays(say('Some **bold** words.'));
  await chat.open();
  const find = await loseAssets(page);
  await chat.send('Be bold.');
  // During a retry, React keeps the old content hidden next to its fallback.
  const asWritten = chat.log.getByText('Some **bold** words.').filter({ visible: true });
  await expect(asWritten).toBeVisible();
  await find();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chat.log.getByText('bold', { exact: true })).toBeVisible();
});
