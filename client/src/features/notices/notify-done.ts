import type { i18n } from 'i18next';
import { addNoticeTexts } from '../../i18n/add-notice-texts.ts';
import { noticePermission, noticeSettings } from './notice-settings.ts';

interface Ended {
  /** Of a conversation. */
  id: string;
  title: string | undefined;
  /** Whether the answer is whole. */
  isDone: boolean;
  ms: number;
  /** Shows the conversation. */
  open: () => void;
}

/** Of an answer that was there sooner nobody is told. */
const longMs = 10_000;

/** Tells somebody who is elsewhere, and wants to know, that a long answer has ended. */
export async function notifyDone(
  { id, title, isDone, ms, open }: Ended,
  translations: i18n,
): Promise<void> {
  const { isOn, withTitle } = noticeSettings();
  if (!isOn || ms < longMs || !document.hidden || noticePermission() !== 'granted') {
    return;
  }
  addNoticeTexts(translations);
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
    // On phones only a service worker may: it opens the conversation by itself.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(text, options);
  }
}
