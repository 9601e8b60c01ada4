import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem } from '@knowhow/shared/problem';
import busboy from 'busboy';
import type { Request } from 'express';

/** Allowance for other form fields and multipart framing. */
const maxOverheadBytes = 2 * 1024 * 1024;

/**
 * Reads the single file of a form, in its field `file`. Truncates the stream at `maxBytes` and reports that
 * as `wasCut`. `take` consumes the stream, not necessarily to its end. Rejects any other form with a problem.
 */
export async function readForm<Taken>(
  request: Request,
  maxBytes: number,
  take: (stream: Readable, info: busboy.FileInfo) => Promise<Taken>,
): Promise<{ taken: Taken; wasCut: boolean }> {
  const form = openForm(request, maxBytes);
  const files: { stream: Readable & { truncated?: boolean }; taken: Promise<Taken> }[] = [];
  let extraParts = 0;
  form.on('error', ignore);
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    form.once(limit, () => {
      extraParts += 1;
    });
  }
  form.on('file', (name, stream, info) => {
    // A form that breaks off also emits errors on its file streams, whether they are read or not.
    stream.on('error', ignore);
    if (name !== 'file' || files.length > 0) {
      extraParts += name === 'file' ? 1 : 0;
      stream.resume();
      return;
    }
    const taken = take(stream, info);
    // Awaited below, when the form has been read.
    taken.catch(() => stream.resume());
    files.push({ stream, taken });
  });
  await pipeToForm(form, request, 2 * maxBytes + maxOverheadBytes).catch(async (cause) => {
    await Promise.allSettled(files.map(({ taken }) => taken));
    throw problem('bad-request', 'The form is malformed or was cut off. Send it again.', {
      cause,
    });
  });
  const [file] = files;
  if (!file || extraParts > 0) {
    throw problem('bad-request', 'Send one file, in the form field "file", with few other fields.');
  }
  return { taken: await file.taken, wasCut: file.stream.truncated === true };
}

function openForm({ headers }: Request, maxBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: { fileSize: maxBytes, files: 2, fields: 20, fieldSize: 64 * 1024, parts: 30 },
    });
  } catch (cause) {
    throw problem('bad-request', 'The form has no boundary.', { cause });
  }
}

/** Keeps the request open whatever happens to the form, so that the client gets the response. */
async function pipeToForm(
  form: busboy.Busboy,
  request: Request,
  maxTotalBytes: number,
): Promise<void> {
  const chunks = async function* () {
    let size = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxTotalBytes) {
        throw new Error(`The form is larger than ${maxTotalBytes} bytes.`);
      }
      yield chunk;
    }
  };
  await pipeline(chunks, form);
}

function ignore(): void {
  // The awaiting caller handles the error.
}
