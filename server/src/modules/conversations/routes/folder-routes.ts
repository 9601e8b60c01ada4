import { foldersApi } from '@knowhow/shared/chat/folders';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { Folders } from '../folders.ts';

export function folderRoutes(router: Router, { folders }: { folders: Folders }): void {
  const change = async (owner: string, name: string, next: string | null) => {
    if (!(await folders.change(owner, name, next))) {
      throw problem('not-found', `There is no folder "${name}" any more.`);
    }
  };

  route(router, foldersApi.list, async ({ caller }) => ({ items: await folders.list(caller.id) }));

  route(router, foldersApi.rename, ({ caller, params, body }) =>
    change(caller.id, params.name, body.name),
  );

  route(router, foldersApi.remove, ({ caller, params }) => change(caller.id, params.name, null));
}
