import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { api } from '@knowhow/shared/api';
import type { RequestHandler, Router } from 'express';
import { sha256 } from '../lib/sha256.ts';
import { apiDocsPage } from './api-docs-page.ts';
import { openApiDocument } from './openapi.ts';

/** Serves the API description for machines and for people. It never changes while the server runs. */
export function serveApiDocs(router: Router, version: string): void {
  router.get(
    '/api/openapi.json',
    serveText('application/json', async () => JSON.stringify(await openApiDocument(api, version))),
  );
  router.get(
    '/api/docs',
    serveText('text/html', () => apiDocsPage(api)),
  );
}

/** Generated and compressed once, on first use. */
function serveText(type: string, make: () => Promise<string>): RequestHandler {
  let made: ReturnType<typeof pack> | undefined;
  return async (request, response) => {
    made ??= make().then(pack);
    const { plain, packed, tag } = await made;
    response.set({ 'Cache-Control': 'no-cache', ETag: tag }).vary('Accept-Encoding').type(type);
    if (request.acceptsEncodings('gzip') === 'gzip') {
      response.set('Content-Encoding', 'gzip').send(packed);
      return;
    }
    response.send(plain);
  };
}

async function pack(text: string): Promise<{ plain: string; packed: Buffer; tag: string }> {
  const digest = sha256(text, 'base64url');
  // Weak: one ETag for the plain and the compressed variant.
  return { plain: text, packed: await promisify(gzip)(text), tag: `W/"${digest}"` };
}
