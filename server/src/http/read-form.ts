import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem } from '@knowhow/shared/problem';
import busboy from 'busboy';
import type { Request } from 'express';

/** What is sent beside the file, and the form's own lines. */
const maxBeside = 2 * 1024 * 1024;

/**
 * Takes the one file of a form, in its field `file`: at most `maxBytes`, then the stream is cut and
 * `wasCut` says so. `take` reads it, and need not go to its end. Whatever else the form is gets a problem.
 */
export async function readForm<Taken>(
  request: Request,
  maxBytes: number,
  take: (stream: Readable, info: busboy.FileInfo) => Promise<Taken>,
): Promise<{ taken: Taken; wasCut: boolean }> {
  const form = openForm(request, maxBytes);
  const files: { stream: Readable & { truncated?: boolean }; taken: Promise<Taken> }[] = [];
  let others = 0;
  form.on('error', ignore);
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    form.once(limit, () => {
      others += 1;
    });
  }
  form.on('file', (name, stream, info) => {
    // A form that breaks off says so on the streams of its files, too, whether they are read or not.
    stream.on('error', ignore);
    if (name !== 'file' || files.length > 0) {
      others += name === 'file' ? 1 : 0;
      stream.resume();
      return;
    }
    const taken = take(stream, info);
    // Reported below, when the form has been read.
    taken.catch(() => stream.resume());
    files.push({ stream, taken });
  });
  await fill(form, request, 2 * maxBytes + maxBeside).catch(async (cause) => {
    await Promise.allSettled(files.map(({ taken }) => taken));
    throw problem('bad-request', 'The form is not well formed, or it was cut off. Send it again.', {
      cause,
    });
  });
  const [file] = files;
  if (!file || others > 0) {
    throw problem('bad-request', 'Send one file, in the form field "file", and little else.');
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

/** Whoever sends is to hear the answer: the request stays, whatever happens to the form. */
async function fill(form: busboy.Busboy, request: Request, most: number): Promise<void> {
  const chunks = async function* () {
    let size = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > most) {
        throw new Error(`The form is larger than ${most} bytes.`);
      }
      yield chunk;
    }
  };
  await pipeline(chunks, form);
}

function ignore(): void {
  // Whoever awaits the form or its file gets the error.
}
