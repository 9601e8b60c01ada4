import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { Contents } from '../content/index.ts';
import { type Caller, grants } from '../identity/index.ts';

/** The enabled apps that a caller may open, in order. */
export function visibleApps(caller: Caller, contents: Contents): AppConfig[] {
  return [...contents.apps.values()].filter(
    ({ id, enabled }) => enabled && grants(caller.permissions.apps, id),
  );
}

/** Finds an app the caller may open. Throws `not-found`, with the same message whether it is missing or forbidden. */
export function findApp(appId: string, caller: Caller, contents: Contents): AppConfig {
  const app = visibleApps(caller, contents).find(({ id }) => id === appId);
  if (!app) {
    throw problem(
      'not-found',
      `There is no app '${appId}'. GET /api/apps lists those you may open.`,
    );
  }
  return app;
}
