import { expect, type Page } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { dump } from '../provider-script.ts';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Puts these on the clipboard, as other programs do. */
async function copyToClipboard(page: Page, items: Record<string, string>): Promise<void> {
  await page.evaluate(async (given) => {
    const blobs = Object.entries(given).map(([type, text]) => {
      const bytes = type.startsWith('image/')
        ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
        : text;
      return [type, new Blob([bytes], { type })];
    });
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  }, items);
}

test('spreadsheet cells are pasted as text, and an image alone is attached', async ({
  chat,
  context,
  page,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.open();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.focus();
  await copyToClipboard(page, {
    'text/plain': 'Item\tPrice\nPen\t3',
    'text/html':
      '<table><tr><td>Item</td><td>Price</td></tr><tr><td>Pen</td><td>3</td></tr></table>',
    'image/png': picture,
  });
  await page.keyboard.press('Control+V');
  await expect(field).toHaveValue('Item\tPrice\nPen\t3');
  await expect(page.getByRole('img', { name: 'image.png' })).toHaveCount(0);
  await field.fill('');
  await copyToClipboard(page, { 'image/png': picture });
  await page.keyboard.press('Control+V');
  await expect(
    page
      .getByText('image.png')
      .or(page.getByRole('img', { name: 'image.png' }))
      .first(),
  ).toBeVisible();
  await expect(field).toHaveValue('');
});

test('an answer in Hebrew is laid out right to left, including list markers', async ({
  chat,
  page,
  provider,
}) => {
  provider.plays(
    dump('שלום עולם.\n\n- ראשון.\n- שני.\n\nEnglish stays left.\n\n```js\nlet a = 1;\n```'),
  );
  await chat.open();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('מה שלומך?');
  await expect(field).toHaveJSProperty('dir', 'auto');
  await field.fill('');
  await chat.send('שאלה.');
  await chat.waitUntilSettled();
  await expect(chat.log.getByRole('list')).toHaveCSS('direction', 'rtl');
  /** Distances of the rendered text from the left and right edge of its block, in pixels. */
  const edges = (text: string) =>
    chat.log.getByText(text, { exact: true }).evaluate((block) => {
      const range = document.createRange();
      range.selectNodeContents(block);
      const [drawn, box] = [range.getBoundingClientRect(), block.getBoundingClientRect()];
      return { left: drawn.left - box.left, right: box.right - drawn.right };
    });
  const hebrew = await edges('שלום עולם.');
  expect(hebrew.right).toBeLessThan(2);
  expect(hebrew.left).toBeGreaterThan(100);
  const english = await edges('English stays left.');
  expect(english.left).toBeLessThan(2);
  expect(english.right).toBeGreaterThan(100);
});
