import { problem } from '@knowhow/shared/problem';
import { type ModelList, visibleApps } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { Caller } from '../../identity/index.ts';

interface Catalogue {
  contents: () => Contents;
  models: ModelList;
}

/** The model names a client can use: each app with usable models, and each of its models. */
export function listModelNames(caller: Caller, { contents, models }: Catalogue): string[] {
  return visibleApps(caller, contents()).flatMap((app) => {
    const usable = models.usable(caller.permissions, app);
    const each = usable.map(({ config }) => `${app.id}/${config.id}`);
    return each.length === 0 ? [] : [app.id, ...each];
  });
}

/** Resolves a name to app and model. Throws `not-found`, with the same message if the caller lacks permission. */
export function resolveModelName(
  name: string,
  caller: Caller,
  catalogue: Catalogue,
): { app: string; model: string | undefined } {
  if (!listModelNames(caller, catalogue).includes(name)) {
    const message = `The model "${name}" does not exist. See GET /v1/models.`;
    throw problem('not-found', message, {
      issues: [{ path: 'model', code: 'not-found', message }],
    });
  }
  const slash = name.indexOf('/');
  return slash < 0
    ? { app: name, model: undefined }
    : { app: name.slice(0, slash), model: name.slice(slash + 1) };
}
