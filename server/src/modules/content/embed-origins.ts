import type { AppConfig } from '@knowhow/shared/config/app-config';

/** Origins that may embed an app's chat; empty if the app is disabled or missing. */
export function embedOrigins(app: AppConfig | undefined): string[] {
  return app === undefined || app.enabled === false ? [] : (app.embed?.origins ?? []);
}
