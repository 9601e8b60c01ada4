import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import express, { type Router } from 'express';

/** Serves the built client: its files as they are, its page for every other address. */
export function serveClient(router: Router, directory: string): void {
  const page = join(directory, 'index.html');
  router.use(
    '/assets',
    express.static(join(directory, 'assets'), { immutable: true, maxAge: '1y', index: false }),
  );
  router.use(express.static(directory, { index: false, cacheControl: false }));
  router.get('/{*path}', (request, response) => {
    if (!existsSync(page)) {
      throw problem('not-found', "The client is not built. Run 'npm run build'.");
    }
    if (request.path.startsWith('/assets/')) {
      throw problem('not-found', `There is no file ${request.path}.`);
    }
    response.set('Cache-Control', 'no-cache').sendFile(page);
  });
}
