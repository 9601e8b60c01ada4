import type { AppConfig } from '@knowhow/shared/config/app-config';

/** Origins that may embed an app's chat; empty if the app is disabled or missing. */
export function embedOrigins(app: AppConfig | undefined): string[] {
  return app?.enabled ? (app.embed?.origins ?? []) : [];
}

/** Origins that may embed the chat of an app, or of any app if no ID is given. */
export function findEmbedders(
  apps: ReadonlyMap<string, AppConfig>,
  id: string | undefined,
): string[] {
  return id === undefined ? [...apps.values()].flatMap(embedOrigins) : embedOrigins(apps.get(id));
}
