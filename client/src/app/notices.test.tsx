import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { NoticesDialog } from '../features/notices/notices-dialog.tsx';
import { eventStream } from '../testing/event-stream.ts';
import { quietConversation } from '../testing/render-chat.tsx';
import { renderShell } from '../testing/render-shell.tsx';
import { renderWithServer } from '../testing/render-with-server.tsx';

const { id } = quietConversation;
const title = 'What do herons do?';
const shown: { text: string; body: string | undefined; click: () => void }[] = [];

/** A browser that answers a permission request like this. */
class BrowserNotification {
  static permission = 'default';
  static answer = 'granted';
  static requestPermission = async () => {
    BrowserNotification.permission = BrowserNotification.answer;
    return BrowserNotification.answer;
  };
  onclick = () => undefined;
  constructor(text: string, { body }: { body?: string }) {
    shown.push({ text, body, click: () => this.onclick() });
  }
  close() {}
}

beforeEach(() => {
  shown.length = 0;
  localStorage.clear();
  BrowserNotification.permission = 'default';
  BrowserNotification.answer = 'granted';
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Notification', BrowserNotification);
  vi.stubGlobal('focus', () => undefined);
});

/** Sends a message whose answer takes this many seconds, while the page is hidden. */
async function askAndLookAway(seconds: number): Promise<void> {
  const now = vi.spyOn(Date, 'now');
  const hidden = vi.spyOn(document, 'hidden', 'get');
  const titleAsked = vi.fn(() => ({ title }));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const begun = Date.now();
  renderShell({
    'GET /api/conversations': () => ({ items: [{ ...quietConversation, title }], total: 1 }),
    [`GET /api/conversations/${id}`]: { ...quietConversation, title },
    [`GET /api/conversations/${id}/title`]: titleAsked,
    [`POST /api/apps/chat/chat/${id}`]: () => {
      hidden.mockReturnValue(true);
      now.mockReturnValue(begun + seconds * 1000);
      return eventStream(
        {
          ...{ type: 'session.start', conversationId: id, model: 'house', activeSkills: [] },
          messageId: id.replace(/..$/, '01'),
          userMessageId: id.replace(/..$/, '02'),
        },
        { type: 'chunk', content: 'They fly.' },
        { type: 'done', finishReason: 'stop' },
      );
    },
  });
  now.mockReturnValue(begun);
  await userEvent.click(await screen.findByRole('link', { name: title }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Well?{Enter}');
  await screen.findByText('They fly.');
  // The follow-up of the answer has run by then.
  await waitFor(() => expect(titleAsked).toHaveBeenCalled());
}

it('asks for permission when switched on, and notifies a user who is elsewhere of a long answer', async () => {
  renderWithServer(<NoticesDialog onClose={vi.fn()} />, {});
  const withTitle = await screen.findByRole('switch', { name: /Include the conversation title/ });
  expect(withTitle.hasAttribute('disabled')).toBe(true);
  expect(BrowserNotification.permission).toBe('default');
  await userEvent.click(screen.getByRole('switch', { name: /Notify me/ }));
  await waitFor(() => expect(withTitle.hasAttribute('disabled')).toBe(false));
  const chosen = localStorage.getItem('knowhow-notices') ?? '';

  localStorage.setItem('knowhow-notices', chosen);
  await askAndLookAway(11);
  await waitFor(() => expect(shown).toMatchObject([{ text: 'Your answer is ready' }]));
  expect(shown[0]?.body).toBeUndefined();
  history.replaceState(null, '', '/elsewhere');
  shown[0]?.click();
  await waitFor(() => expect(window.location.pathname).toBe(`/c/${id}`));
});

it('includes the conversation title if enabled', async () => {
  BrowserNotification.permission = 'granted';
  localStorage.setItem('knowhow-notices', 'title');
  await askAndLookAway(11);
  await waitFor(() => expect(shown).toMatchObject([{ body: title }]));
});

it.each([
  ['of a quick answer', 9, 'granted', 'on'],
  ['without permission', 11, 'denied', 'on'],
  ['who has not asked for it', 11, 'granted', null],
])('does not notify %s', async (_, seconds, permission, setting) => {
  BrowserNotification.permission = permission;
  if (setting !== null) {
    localStorage.setItem('knowhow-notices', setting);
  }
  await askAndLookAway(seconds);
  expect(shown).toEqual([]);
});

it('explains what to do if the browser blocks notifications', async () => {
  BrowserNotification.answer = 'denied';
  renderWithServer(<NoticesDialog onClose={vi.fn()} />, {});
  const wanted = await screen.findByRole('switch', { name: /Notify me/ });
  await userEvent.click(wanted);
  expect((await screen.findByRole('alert')).textContent).toContain('blocks notifications');
  expect((wanted as HTMLInputElement).checked).toBe(false);
});
