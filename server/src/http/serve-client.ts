import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import express, { type Router } from 'express';
import { contentPolicy } from './security.ts';

/** Stands in the built page wherever a nonce is wanted; `client/vite.config.ts` puts it there. */
const nonceMarker = 'NONCE-OF-THIS-ANSWER';

/** Serves the built client: its files as they are, its page for every other address. */
export function serveClient(router: Router, directory: string): void {
  const page = join(directory, 'index.html');
  router.use(
    '/assets',
    express.static(join(directory, 'assets'), { immutable: true, maxAge: '1y', index: false }),
  );
  router.get('/index.html', (_request, response) => response.redirect('/'));
  router.use(express.static(directory, { index: false, cacheControl: false }));
  router.get('/{*path}', async (request, response) => {
    if (!existsSync(page)) {
      throw problem('not-found', "The client is not built. Run 'npm run build'.");
    }
    if (request.path.startsWith('/assets/')) {
      throw problem('not-found', `There is no file ${request.path}.`);
    }
    const nonce = randomBytes(16).toString('base64');
    const html = await readFile(page, 'utf8');
    response
      .set('Cache-Control', 'no-cache')
      .set('Content-Security-Policy', contentPolicy(`'nonce-${nonce}'`))
      .type('html')
      .send(html.replaceAll(nonceMarker, nonce));
  });
}
