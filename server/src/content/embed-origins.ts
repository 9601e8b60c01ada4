import type { AppConfig } from '@knowhow/shared/config/app-config';

/** The origins of the pages that may show the chat of an app; none where it is switched off, or is not there. */
export function embedOrigins(app: AppConfig | undefined): string[] {
  return app === undefined || app.enabled === false ? [] : (app.embed?.origins ?? []);
}
