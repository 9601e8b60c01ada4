import { type Browser, expect } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import type { Knowhow } from './start-knowhow.ts';

/** Signs a user in, in a browser context of their own. */
export async function openAs(
  browser: Browser,
  knowhow: Knowhow,
  { username, password }: { username: string; password: string },
): Promise<ChatPage> {
  const context = await browser.newContext({ baseURL: knowhow.url, locale: 'en-GB' });
  const visitor = new ChatPage(await context.newPage());
  await visitor.page.goto('/login');
  await visitor.signIn(username, password);
  await expect(visitor.page.getByRole('button', { name: /: menu$/ })).toBeVisible();
  return visitor;
}
