import { expect, type Locator, type Page } from '@playwright/test';

/** Page object of the chat: finds elements by role and label. */
export class ChatPage {
  readonly page: Page;
  readonly composer: Locator;
  readonly log: Locator;
  readonly palette: Locator;
  readonly conversations: Locator;

  constructor(page: Page) {
    this.page = page;
    // A textbox, and a combobox while the palette is open.
    this.composer = page.getByLabel('Message', { exact: true });
    this.log = page.getByRole('log', { name: 'Conversation' });
    this.palette = page.getByRole('listbox', { name: 'Prompts and skills' });
    this.conversations = page.getByRole('navigation', { name: 'Conversations' });
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await this.waitUntilReady();
  }

  /** Waits until a message can be sent: app and model are loaded. */
  async waitUntilReady(): Promise<void> {
    await expect(this.page.getByRole('button', { name: /^Choose a model: ./ })).toBeVisible();
    await expect(this.composer).toBeEditable();
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The row that names the active skill; its button opens it. */
  card(skill: string): Locator {
    return this.log.getByRole('button', { name: `Using ${skill}` });
  }

  chip(skill: string): Locator {
    return this.button(`Remove ${skill}`);
  }

  option(name: string): Locator {
    return this.palette.getByRole('option', { name });
  }

  /** Waits until the answer has ended: the composer shows Send again. */
  async waitUntilSettled(): Promise<void> {
    await expect(this.button('Send')).toBeVisible();
  }

  /** On a phone, opens the drawer that contains them. */
  async showConversations(): Promise<void> {
    if (!(await this.conversations.isVisible())) {
      await this.button('Open the sidebar').click();
    }
    await expect(this.conversations).toBeVisible();
  }

  async startNew(): Promise<void> {
    await this.button('New conversation').click();
    await expect(this.log.getByRole('article')).toHaveCount(0);
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'User name' }).fill(username);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.button('Sign in').click();
  }
}
