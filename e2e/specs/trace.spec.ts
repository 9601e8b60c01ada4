import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { activate, say } from '../provider-script.ts';

for (const [device, viewport] of Object.entries({
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
})) {
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('an answer links to its trace, and to why a skill was not used, with the keyboard only', async ({
      chat,
      page,
      provider,
    }) => {
      provider.plays(activate('tea-brewing'), say('Warm the pot.'));
      await chat.open();
      await chat.send('How do I brew assam?');
      await chat.waitUntilSettled();
      const opener = chat.button('What the model saw');
      await opener.focus();
      await page.keyboard.press('Enter');

      const panel = page.getByRole('dialog', { name: 'What the model saw' });
      await expect(panel.getByText('How do I brew assam?')).toBeVisible();
      await expect(
        panel.getByText('activate_skill {"skill_name":"tea-brewing"}').first(),
      ).toBeVisible();
      const width = await panel.evaluate((element) => [element.scrollWidth, element.clientWidth]);
      expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0);

      const field = panel.getByRole('combobox', { name: 'Skill name' });
      await field.focus();
      await page.keyboard.type('payroll');
      await page.keyboard.press('Enter');
      await expect(panel.getByText('payroll was not visible in this conversation.')).toBeVisible();
      await field.fill('meeting');
      await page.keyboard.press('Enter');
      await expect(
        panel.getByText('The model was offered meeting-notes but did not choose it.'),
      ).toBeVisible();

      const download = page.waitForEvent('download');
      await panel.getByRole('link', { name: 'Save as JSON' }).click();
      expect((await download).suggestedFilename()).toMatch(/^trace-.+\.json$/);

      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await expect(opener).toBeFocused();
    });
  });
}
