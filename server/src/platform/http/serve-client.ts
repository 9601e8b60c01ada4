import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import express, { type ErrorRequestHandler, type Response, type Router } from 'express';
import { isApiPath } from './is-api-path.ts';
import { contentPolicy, diagramPolicy } from './security-headers.ts';

/** Placeholder for the CSP nonce in the built page; `client/vite.config.ts` inserts it. */
const nonceMarker = 'NONCE-OF-THIS-ANSWER';

const manifestLink = /<link rel="manifest"[^>]*>/;

/** Replaces and unregisters installed service workers when installation is disabled. */
const selfRemovingWorker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(caches.keys()
  .then((names) => Promise.all(names.map((name) => caches.delete(name))))
  .then(() => registration.unregister())));
`;

interface Client {
  /** The built client. */
  clientDirectory: string;
  /** Settings of the page, as currently configured. */
  settings: () => { isInstallable: boolean; imageHosts?: string[] | undefined };
  /** Origins that may embed an app's chat; without an ID, the chat of any app. */
  embedders: (app?: string) => string[];
}

/** Serves the built client: its static files, and its page for every other path. */
export function serveClient(router: Router, client: Client): void {
  const { clientDirectory, settings, embedders } = client;
  router.use(
    '/assets',
    express.static(join(clientDirectory, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      setHeaders: allowAnyOrigin,
    }),
  );
  router.get('/service-worker.js', (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    if (!settings().isInstallable) {
      response.type('text/javascript').send(selfRemovingWorker);
      return;
    }
    next();
  });
  router.get('/index.html', (_request, response) => response.redirect('/'));
  router.use(
    express.static(clientDirectory, {
      index: false,
      cacheControl: false,
      setHeaders: (response, path) => {
        const name = basename(path);
        if (name === 'diagram-frame.html') {
          response.set('Content-Security-Policy', diagramPolicy(embedders()));
        } else if (name === 'diagram-frame.js') {
          allowAnyOrigin(response);
        } else if (name === 'embed.js') {
          allowAnyOrigin(response);
          response.set('Cross-Origin-Resource-Policy', 'cross-origin');
        }
      },
    }),
  );
  router.get('/embed/:appId{/sign-in}', async (request, response) => {
    if (request.path.endsWith('/sign-in')) {
      // The window needs its opener, the embedding frame.
      response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
      await sendPage(client, response);
      return;
    }
    // The embedded chat identifies itself by `Referer`; see `getEmbeddedApp`.
    response.set('Referrer-Policy', 'same-origin');
    await sendPage(client, response, embedders(request.params.appId));
  });
  router.get('/{*path}', async (request, response) => {
    if (request.path.startsWith('/assets/')) {
      throw problem('not-found', `There is no file ${request.path}.`);
    }
    await sendPage(client, response);
  });
  router.use(sendPageForMalformed(client));
}

/** Answers the address of a page that cannot be decoded, such as `/skills/%`, with the page, which says that nothing is there. */
function sendPageForMalformed(client: Client): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const isPage =
      error instanceof URIError &&
      ['GET', 'HEAD'].includes(request.method) &&
      !isApiPath(request.path) &&
      !request.path.startsWith('/assets/') &&
      request.accepts('json', 'html') === 'html';
    if (!isPage) {
      next(error);
      return;
    }
    response.status(404);
    await sendPage(client, response);
  };
}

/** The diagram frame has an opaque origin, so our scripts are cross-origin to it. They contain no user data. */
function allowAnyOrigin(response: Response): void {
  response.set('Access-Control-Allow-Origin', '*');
}

/** Sends the client's page; pages of `embedders` may frame it. */
async function sendPage(
  { clientDirectory, settings }: Client,
  response: Response,
  embedders: string[] = [],
): Promise<void> {
  const page = join(clientDirectory, 'index.html');
  if (!existsSync(page)) {
    throw problem('not-found', "The client is not built. Run 'npm run build'.");
  }
  const { isInstallable, imageHosts } = settings();
  const nonce = randomBytes(16).toString('base64');
  const built = await readFile(page, 'utf8');
  const html = isInstallable ? built : built.replace(manifestLink, '');
  if (embedders.length > 0) {
    response.removeHeader('X-Frame-Options');
  }
  response
    .set('Cache-Control', 'no-cache')
    .set('Content-Security-Policy', contentPolicy(`'nonce-${nonce}'`, { imageHosts, embedders }))
    .type('html')
    .send(html.replaceAll(nonceMarker, nonce));
}
