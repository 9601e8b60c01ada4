/** What somebody has chosen in this browser, where the permission is as well. */
export interface NoticeSettings {
  isOn: boolean;
  /** Whether a notification says which conversation it is about. */
  withTitle: boolean;
}

const key = 'knowhow-notices';

export function noticeSettings(): NoticeSettings {
  const chosen = localStorage.getItem(key);
  return { isOn: chosen !== null, withTitle: chosen === 'title' };
}

export function keepNoticeSettings({ isOn, withTitle }: NoticeSettings): void {
  if (isOn) {
    localStorage.setItem(key, withTitle ? 'title' : 'on');
  } else {
    localStorage.removeItem(key);
  }
}

/** What the browser says to notifications; `unsupported` also by plain http. */
export function noticePermission(): NotificationPermission | 'unsupported' {
  return 'Notification' in window && window.isSecureContext
    ? Notification.permission
    : 'unsupported';
}
