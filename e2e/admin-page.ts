import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import { adminPassword } from './start-knowhow.ts';

/** Signs in as `admin` by API only. The request context keeps the session. */
export async function signInAdmin(visitor: APIRequestContext, url: string): Promise<void> {
  const response = await visitor.post(`${url}/api/auth/login`, {
    data: { username: 'admin', password: adminPassword },
    headers: { origin: url },
  });
  expect(response.ok()).toBe(true);
}

/** Page object of the admin pages: finds elements by role and label. */
export class AdminPage {
  readonly page: Page;
  readonly url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`/admin/${path}`);
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  toggle(name: string | RegExp): Locator {
    return this.page.getByRole('switch', { name });
  }

  /** Clicks a switch on the track that covers it, as people do. */
  async flip(name: string | RegExp): Promise<void> {
    await this.toggle(name).click({ force: true });
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' });
  }

  /** A toast with this text. */
  toast(text: string | RegExp): Locator {
    return this.page.getByRole('alert').filter({ hasText: text });
  }

  /** Sends an admin API request as the signed-in user. */
  async api(method: string, path: string, data?: unknown): Promise<unknown> {
    const response = await this.page.request.fetch(`${this.url}/api/admin/${path}`, {
      method,
      data,
      headers: { origin: this.url },
    });
    expect(response.ok(), `${method} ${path}: ${response.status()}`).toBe(true);
    return response.status() === 204 ? undefined : response.json();
  }
}
