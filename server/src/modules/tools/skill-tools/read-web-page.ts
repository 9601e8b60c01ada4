import { type PageCall, type PageReader, TooManyPages } from '../builtin/read-page.ts';
import type { PageRequest } from './run-flow.ts';

interface Reading {
  /** Guarded against SSRF, with size and time limits. */
  fetch: typeof fetch;
  reader: Pick<PageReader, 'part'>;
  call: PageCall;
}

/** Reads a page for a flow: its text, its HTML, or the HTML that matches a selector. */
export async function readWebPage(
  { url, as, selector }: PageRequest,
  { fetch, reader, call }: Reading,
): Promise<string> {
  const { signal } = call;
  const response = await fetch(url, { signal, headers: { accept: 'text/html, text/plain;q=0.9' } });
  const html = await response.text();
  if (!response.ok) {
    throw new Error(`the server answered ${response.status}.`);
  }
  const isPage = /html/i.test(response.headers.get('content-type') ?? 'text/html');
  if (selector === undefined && (as === 'html' || !isPage)) {
    return html;
  }
  return reader.part({ html, selector }, call).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof TooManyPages) {
      throw error;
    }
    const more = selector === undefined ? '' : ', or its selector is none';
    throw new Error(`the page takes more time or memory than a page may${more}.`);
  });
}
