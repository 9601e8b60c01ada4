import type { i18n } from 'i18next';
import { loadTexts } from '../../ui/loading/load-texts.ts';
import { noticePermission, noticeSettings } from './notice-settings.ts';

interface Ended {
  /** ID of the conversation. */
  id: string;
  title: string | undefined;
  /** Whether the answer is complete. */
  isDone: boolean;
  ms: number;
  /** Opens the conversation. */
  open: () => void;
}

/** Minimum duration before a notification is sent. */
const longMs = 10_000;

/** Notifies a user who is elsewhere that a long answer has ended, if enabled. */
export async function notifyDone(
  { id, title, isDone, ms, open }: Ended,
  translations: i18n,
): Promise<void> {
  const { isOn, withTitle } = noticeSettings();
  if (!isOn || ms < longMs || !document.hidden || noticePermission() !== 'granted') {
    return;
  }
  await loadTexts('chat');
  const text = translations.t(isDone ? 'notices.done' : 'notices.failed');
  const body = withTitle ? title : undefined;
  const options = { tag: id, icon: '/icons/192.png', data: `/c/${id}`, ...(body ? { body } : {}) };
  try {
    const notice = new Notification(text, options);
    notice.onclick = () => {
      window.focus();
      open();
      notice.close();
    };
  } catch {
    // On phones only a service worker can: it opens the conversation on its own.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(text, options);
  }
}
