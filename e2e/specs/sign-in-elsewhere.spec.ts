import { readFile, writeFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { changeJson } from '../change-json.ts';
import { findSeriousViolations } from '../find-serious-violations.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { startSignInProvider } from '../sign-in-provider.ts';
import { adminPassword } from '../start-knowhow.ts';

test('a user signs in with a provider and returns to the requested page; if it is down, a password still works', async ({
  chat,
  knowhow,
  page,
}) => {
  const company = await startSignInProvider(knowhow.url);
  const platform = `${knowhow.contentsDir}/config/platform.json`;
  const before = await readFile(platform, 'utf8');
  try {
    const oidcAuth = { providers: [company.settings] };
    await changeJson(platform, { oidcAuth, anonymousAuth: { enabled: false } });
    await expect
      .poll(async () => (await fetch(`${knowhow.url}/api/auth/ways`)).text())
      .toContain('Company account');

    await page.goto('/apps/chat?a=b');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(await findSeriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with Company account' }).click();
    await page.getByRole('textbox').first().fill('ann');
    await page.getByRole('textbox').last().fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${knowhow.url}/apps/chat?a=b`);
    await chat.button('Ann Author: menu').click();
    await expect(page.getByRole('menuitem', { name: 'API keys' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Change password' })).toBeHidden();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();

    // They cancel there.
    await page.context().clearCookies({ name: '_session' });
    await page.getByRole('link', { name: 'Sign in with Company account' }).click();
    await page.getByRole('link', { name: /Cancel|Abort/ }).click();
    const note = page.getByRole('alert');
    await expect(note).toContainText('was cancelled');

    company.stop();
    // For some seconds the provider still counts as up, and the browser reports that it is unreachable.
    await expect(async () => {
      await page.goto('/login?returnTo=%2Fapps%2Fchat');
      await page.getByRole('link', { name: 'Sign in with Company account' }).click();
      await expect(note).toContainText('Company account is not responding', { timeout: 1000 });
    }).toPass();
    await chat.signIn('admin', adminPassword);
    await expect(page).toHaveURL(`${knowhow.url}/apps/chat`);
    await expect(chat.button('Admin: menu')).toBeVisible();
  } finally {
    company.stop();
    await writeFile(platform, before);
  }
});
