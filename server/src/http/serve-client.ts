import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import express, { type Response, type Router } from 'express';
import type { Contents } from '../content/contents.ts';
import { embedOrigins } from '../content/embed-origins.ts';
import { contentPolicy, diagramPolicy } from './security.ts';

/** Stands in the built page wherever a nonce is wanted; `client/vite.config.ts` puts it there. */
const nonceMarker = 'NONCE-OF-THIS-ANSWER';

const manifestLink = /<link rel="manifest"[^>]*>/;

/** Takes the place of what browsers have of us, where it is switched off. */
const workerThatEnds = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(caches.keys()
  .then((names) => Promise.all(names.map((name) => caches.delete(name))))
  .then(() => registration.unregister())));
`;

interface Client {
  /** The built client. */
  clientDirectory: string;
  contents: () => Pick<Contents, 'platform' | 'apps'>;
}

/** Serves the built client: its files as they are, its page for every other address. */
export function serveClient(router: Router, client: Client): void {
  const { clientDirectory, contents } = client;
  router.use(
    '/assets',
    express.static(join(clientDirectory, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      setHeaders: forFrames,
    }),
  );
  router.get('/service-worker.js', (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    if (contents().platform.installable === false) {
      response.type('text/javascript').send(workerThatEnds);
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
          const embedders = [...contents().apps.values()].flatMap(embedOrigins);
          response.set('Content-Security-Policy', diagramPolicy(embedders));
        } else if (name === 'diagram-frame.js') {
          forFrames(response);
        } else if (name === 'embed.js') {
          forFrames(response);
          response.set('Cross-Origin-Resource-Policy', 'cross-origin');
        }
      },
    }),
  );
  router.get('/embed/:appId{/sign-in}', async (request, response) => {
    const embedders = embedOrigins(contents().apps.get(request.params.appId));
    if (request.path.endsWith('/sign-in')) {
      // It has to know the frame that has opened it.
      response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
      await sendPage(client, response);
      return;
    }
    // By this the chat in a frame says with its requests that it is one: `embeddedApp`.
    response.set('Referrer-Policy', 'same-origin');
    await sendPage(client, response, embedders);
  });
  router.get('/{*path}', async (request, response) => {
    if (request.path.startsWith('/assets/')) {
      throw problem('not-found', `There is no file ${request.path}.`);
    }
    await sendPage(client, response);
  });
}

/** The frame that draws diagrams is of no origin: to it our scripts are those of another. They hold nothing of anybody. */
function forFrames(response: Response): void {
  response.set('Access-Control-Allow-Origin', '*');
}

/** The page, which pages of `embedders` may show in a frame. */
async function sendPage(
  { clientDirectory, contents }: Client,
  response: Response,
  embedders: string[] = [],
): Promise<void> {
  const page = join(clientDirectory, 'index.html');
  if (!existsSync(page)) {
    throw problem('not-found', "The client is not built. Run 'npm run build'.");
  }
  const { platform } = contents();
  const imageHosts = platform.answers?.imageHosts;
  const nonce = randomBytes(16).toString('base64');
  const built = await readFile(page, 'utf8');
  const html = platform.installable === false ? built.replace(manifestLink, '') : built;
  if (embedders.length > 0) {
    response.removeHeader('X-Frame-Options');
  }
  response
    .set('Cache-Control', 'no-cache')
    .set('Content-Security-Policy', contentPolicy(`'nonce-${nonce}'`, { imageHosts, embedders }))
    .type('html')
    .send(html.replaceAll(nonceMarker, nonce));
}
