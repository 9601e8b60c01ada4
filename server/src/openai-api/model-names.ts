import { problem } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import { visibleApps } from '../chat/find-app.ts';
import type { ModelList } from '../chat/model-list.ts';
import type { Contents } from '../content/contents.ts';

interface Offered {
  contents: () => Contents;
  models: ModelList;
}

/** What a program may name as its model: each app with models that the caller may use, and each of these in it. */
export function modelNames(caller: Caller, { contents, models }: Offered): string[] {
  return visibleApps(caller, contents()).flatMap((app) => {
    const usable = models.usable(caller.permissions, app);
    const each = usable.map(({ config }) => `${app.id}/${config.id}`);
    return each.length === 0 ? [] : [app.id, ...each];
  });
}

/** Which app and model a name means. Throws `not-found`, in the same words for what is not allowed. */
export function findNamed(
  name: string,
  caller: Caller,
  offered: Offered,
): { app: string; model: string | undefined } {
  if (!modelNames(caller, offered).includes(name)) {
    const message = `There is no model "${name}" here. GET /v1/models lists those there are.`;
    throw problem('not-found', message, {
      issues: [{ path: 'model', code: 'not-found', message }],
    });
  }
  const at = name.indexOf('/');
  return at < 0
    ? { app: name, model: undefined }
    : { app: name.slice(0, at), model: name.slice(at + 1) };
}
