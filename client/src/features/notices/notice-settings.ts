/** Notification settings of this browser, which also stores the permission. */
export interface NoticeSettings {
  isOn: boolean;
  /** Whether a notification includes the conversation title. */
  withTitle: boolean;
}

const key = 'knowhow-notices';

export function noticeSettings(): NoticeSettings {
  const chosen = localStorage.getItem(key);
  return { isOn: chosen !== null, withTitle: chosen === 'title' };
}

export function storeNoticeSettings({ isOn, withTitle }: NoticeSettings): void {
  if (isOn) {
    localStorage.setItem(key, withTitle ? 'title' : 'on');
  } else {
    localStorage.removeItem(key);
  }
}

/** The browser's notification permission; `unsupported` also without HTTPS. */
export function noticePermission(): NotificationPermission | 'unsupported' {
  return 'Notification' in window && window.isSecureContext
    ? Notification.permission
    : 'unsupported';
}
