import { expect } from '@playwright/test';
import { expectPhoneToFit } from '../expect-phone-to-fit.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { openAs } from '../open-as.ts';
import { hiddenSkill } from '../prepare-contents.ts';
import { say } from '../provider-script.ts';

const password = 'four quiet otters';

test('a suggestion below an answer reaches the owner of the skill, and the reply comes back', async ({
  admin,
  knowhow,
  browser,
  provider,
}) => {
  test.setTimeout(120_000);
  for (const [username, name] of [
    ['olga', 'Olga'],
    ['sam', 'Sam'],
  ]) {
    await admin.api('POST', 'users', { username, name, groups: ['users'], password });
  }

  await test.step('an administrator makes Olga the owner', async () => {
    await admin.open('skills/tea-brewing');
    const owner = admin.page.getByRole('combobox', { name: 'Owner' });
    await owner.fill('Olg');
    await admin.page.getByRole('option', { name: 'Olga' }).click();
    await expect(admin.toast('Olga is now the owner of “tea-brewing”.')).toBeVisible();
    await admin.page.reload();
    await expect(owner).toHaveValue('Olga');
  });

  const sam = await openAs(browser, knowhow, { username: 'sam', password });
  await test.step('Sam suggests an improvement, with the question and answer', async () => {
    provider.plays(say('Warm the pot. <b>Bold</b>'));
    await expect(sam.page.getByRole('link', { name: 'Inbox' })).toHaveCount(0);
    await sam.page.goto('/skills/tea-brewing');
    await expect(sam.page.getByText('Olga')).toBeVisible();
    await sam.open();
    await sam.send('/tea-brewing How do I brew assam?');
    await sam.waitUntilSettled();
    await sam.button('Suggest an improvement').click();
    const dialog = sam.page.getByRole('dialog', { name: 'Suggest an improvement' });
    await dialog.getByRole('textbox', { name: /do differently/ }).fill('Name the temperature.');
    await dialog.getByRole('checkbox', { name: /Include this question/ }).check();
    expect(await findSeriousViolations(sam.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send suggestion' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(sam.page.getByRole('link', { name: 'Inbox' })).toBeVisible();
  });

  const olga = await openAs(browser, knowhow, { username: 'olga', password });
  await test.step('Olga reads it and replies, by keyboard', async () => {
    await olga.page.getByRole('link', { name: 'Inbox 1 open item' }).click();
    await expect(
      olga.page.getByRole('heading', { name: 'Suggestion for tea-brewing' }),
    ).toBeVisible();
    await expect(olga.page.getByText('Name the temperature.')).toBeVisible();
    await olga.button('Question and answer').press('Enter');
    await expect(olga.page.getByText('How do I brew assam?')).toBeVisible();
    await expect(olga.page.getByText('Warm the pot. <b>Bold</b>')).toBeVisible();
    await expectPhoneToFit(olga.page);
    await olga.button('Done…').press('Enter');
    const dialog = olga.page.getByRole('dialog', { name: 'Close this item' });
    await expect(dialog.getByRole('textbox', { name: 'Reply (optional)' })).toBeFocused();
    await olga.page.keyboard.type('It does now.');
    await olga.page.keyboard.press('Tab');
    await olga.page.keyboard.press('Tab');
    await olga.page.keyboard.press('Enter');
    await expect(olga.page.getByText('Nothing to do')).toBeVisible();
    await olga.page.getByText('Done', { exact: true }).click();
    await expect(olga.page.getByText('It does now.')).toBeVisible();
  });

  await test.step('Sam reads the reply', async () => {
    await sam.page.getByRole('link', { name: 'Inbox' }).click();
    await sam.page.getByText('Sent', { exact: true }).click();
    await expect(sam.page.getByText('It does now.')).toBeVisible();
    await sam.page.getByRole('link', { name: 'Open skill' }).click();
    await expect(sam.page.getByRole('heading', { name: 'tea-brewing', level: 1 })).toBeVisible();
  });
});

test('access to a skill is requested in the library and granted in the inbox', async ({
  admin,
  knowhow,
  browser,
}) => {
  test.setTimeout(120_000);
  await admin.api('PUT', 'groups/payroll', {
    name: 'Payroll',
    permissions: { apps: ['chat'], models: ['*'], skills: [] },
  });
  for (const username of ['rob', 'ria']) {
    await admin.api('POST', 'users', { username, name: username, groups: ['payroll'], password });
  }
  const rob = await openAs(browser, knowhow, { username: 'rob', password });
  await rob.page.goto('/skills');
  await expect(rob.page.getByText('Available on request')).toHaveCount(0);

  await test.step('an administrator makes the skill available on request', async () => {
    await admin.open(`skills/${hiddenSkill}`);
    await admin.flip('Available on request');
    await expect(admin.toast(/can find “.+” and request access/)).toBeVisible();
  });

  await test.step('Rob requests access', async () => {
    await rob.page.reload();
    await rob.button(`Request access to ${hiddenSkill}`).click();
    const dialog = rob.page.getByRole('dialog', { name: `Request access to ${hiddenSkill}` });
    await dialog.getByRole('textbox', { name: 'Message (optional)' }).fill('I pay people.');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await expect(rob.page.getByText('Access requested')).toBeVisible();
    await expectPhoneToFit(rob.page);
  });

  await test.step('the administrator grants it to a group of two', async () => {
    await admin.page.goto('/inbox');
    await expect(admin.page.getByText('I pay people.')).toBeVisible();
    await admin.button('Grant access…').click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Payroll' }).check();
    await expect(dialog.getByText('2 people get the skill.')).toBeVisible();
    expect(await findSeriousViolations(admin.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Grant access', exact: true }).click();
    await expect(admin.page.getByText('I pay people.')).toHaveCount(0);
  });

  await test.step('Rob opens the granted skill', async () => {
    await rob.page.goto('/inbox?state=sent');
    await expect(rob.page.getByText('Granted')).toBeVisible();
    await rob.page.getByRole('link', { name: 'Open skill' }).click();
    await expect(rob.page.getByRole('heading', { name: hiddenSkill, level: 1 })).toBeVisible();
  });
});
