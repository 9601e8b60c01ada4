import type { UploadEndpoint } from '@knowhow/shared/endpoint';
import { problem } from '@knowhow/shared/problem';
import type { z } from 'zod';
import { buildUrl, type Input, parseProblem } from './request.ts';
import { Unreachable } from './unreachable.ts';

interface UploadOptions {
  /** See `RequestOptions`. */
  ifMatch?: string;
  /** Called with the upload progress, from 0 to 1. */
  onProgress?: (sent: number) => void;
  signal?: AbortSignal;
}

/** Uploads a file to a contract and returns its parsed response. Throws a `Problem` or `Unreachable`. */
export async function upload<E extends UploadEndpoint>(
  endpoint: E,
  input: Input<E> & { file: Blob },
  options: UploadOptions = {},
): Promise<z.output<E['response']>> {
  const response = await send(endpoint, input, options);
  if (!response.ok) {
    throw await parseProblem(response);
  }
  const parsed = endpoint.response.safeParse(await response.json());
  if (!parsed.success) {
    throw problem('internal', `The answer of ${endpoint.path} is not what was agreed.`, {
      cause: parsed.error,
    });
  }
  return parsed.data as z.output<E['response']>;
}

/** XMLHttpRequest, because `fetch` does not report upload progress. */
function send<E extends UploadEndpoint>(
  endpoint: E,
  input: Input<E> & { file: Blob },
  { ifMatch, onProgress, signal }: UploadOptions,
): Promise<Response> {
  const { file } = input;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, buildUrl(endpoint, input));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('accept-language', document.documentElement.lang);
    if (ifMatch !== undefined) {
      request.setRequestHeader('if-match', `"${ifMatch}"`);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 1);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort());
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
