import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test';
import { adminPassword } from './start-knowhow.ts';

/** Signs in as `admin` without a page: whoever sends these requests. */
export async function signInAdmin(visitor: APIRequestContext, url: string): Promise<void> {
  const response = await visitor.post(`${url}/api/auth/login`, {
    data: { username: 'admin', password: adminPassword },
    headers: { origin: url },
  });
  expect(response.ok()).toBe(true);
}

/** The admin pages as an admin knows them: by role and label. */
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

  /** Clicks a switch where people do: on the track that is over it. */
  async flip(name: string | RegExp): Promise<void> {
    await this.toggle(name).click({ force: true });
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' });
  }

  /** What a toast says. */
  toast(text: string | RegExp): Locator {
    return this.page.getByRole('alert').filter({ hasText: text });
  }

  /** Sends a request of the API as whoever is signed in. */
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
