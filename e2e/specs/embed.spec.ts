import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { changeJson } from '../change-json.ts';
import { knowhowTest as test } from '../knowhow-test.ts';
import { say } from '../provider-script.ts';
import { adminPassword } from '../start-knowhow.ts';

let host: Server;

/** A page of another site, `localhost`, with a strict content security policy (CSP). */
async function openHost(knowhow: string): Promise<string> {
  host = createServer((_request, response) => {
    const from = `script-src ${knowhow}; frame-src ${knowhow}`;
    response.setHeader('content-security-policy', `default-src 'none'; ${from}; style-src 'none'`);
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>Intranet</title><h1>Intranet</h1>
      <script src="${knowhow}/embed.js" data-app="chat" data-label="Ask us" async></script></html>`,
    );
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  return `http://localhost:${(host.address() as AddressInfo).port}`;
}

test.afterEach(() => host.close());

test("a page of another site embeds an app's chat, where people sign in through a popup window", async ({
  context,
  knowhow,
  page,
  provider,
}) => {
  const site = await openHost(knowhow.url);
  const opener = page.getByRole('button', { name: 'Ask us' });
  const frame = page.frameLocator('iframe');

  // A page that the app does not list cannot embed it.
  await page.goto(site);
  const refused = page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  await opener.click();
  await refused;
  await expect(page.locator('iframe')).toBeHidden();

  await changeJson(`${knowhow.contentsDir}/apps/chat.json`, { embed: { origins: [site] } });
  await expect
    .poll(async () => (await fetch(`${knowhow.url}/embed/chat`)).headers.get('x-frame-options'))
    .toBeNull();
  provider.plays(say('Good morning, guest.'));
  await page.goto(site);
  await opener.focus();
  await page.keyboard.press('Enter');
  const message = frame.getByLabel('Message', { exact: true });
  await expect(message).toBeFocused();
  await message.fill('Good morning!');
  await message.press('Enter');
  await expect(frame.getByText('Good morning, guest.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Ask us' })).toBeHidden();
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message).toBeFocused();

  await frame.getByRole('button', { name: 'Account: Guest' }).click();
  const opening = page.waitForEvent('popup');
  await frame.getByRole('menuitem', { name: 'Sign in' }).click();
  const window = await opening;
  await window.getByRole('textbox', { name: 'User name' }).fill('admin');
  await window.getByRole('textbox', { name: 'Password' }).fill(adminPassword);
  await window.getByRole('button', { name: 'Sign in', exact: true }).click();
  await window.getByRole('button', { name: 'Continue as Admin' }).click();
  await expect(frame.getByRole('button', { name: 'Account: Admin' })).toBeVisible();
  const cookies = await context.cookies(knowhow.url);
  expect(cookies.find(({ name }) => name.endsWith('_embed_chat'))).toMatchObject({
    partitionKey: 'http://localhost',
    httpOnly: true,
    secure: true,
  });
  provider.plays(say('Good morning, Admin.'));
  await message.fill('Good morning again!');
  await message.press('Enter');
  await expect(frame.getByText('Good morning, Admin.')).toBeVisible();
});
