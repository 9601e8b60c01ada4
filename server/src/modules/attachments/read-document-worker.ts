import { parentPort, workerData } from 'node:worker_threads';
import { countTokens } from '@knowhow/shared/count-tokens';
import { StandardTextDecoder } from '@knowhow/shared/decode-bytes';
import { lowerPriority } from '../../platform/lib/lower-priority.ts';
import { DocumentError, type DocumentFormat, type DocumentText } from './document.ts';
import type { DocumentTask, ReadDocument } from './read-document.ts';

// Runs in its own process for one document: see `read-document.ts`. Loads only what that document
// needs.
lowerPriority();
// Libraries use the global decoder, and Node's is wrong for some encodings: see `decode-bytes.ts`.
globalThis.TextDecoder = StandardTextDecoder;

type Reader = (bytes: Uint8Array) => DocumentText | Promise<DocumentText>;

const readers: Record<DocumentFormat, () => Promise<Reader>> = {
  pdf: async () => (await import('./formats/read-pdf.ts')).readPdf,
  docx: async () => (await import('./formats/read-docx.ts')).readDocx,
  xlsx: async () => (await import('./formats/read-xlsx.ts')).readXlsx,
  pptx: async () => (await import('./formats/read-pptx.ts')).readPptx,
  odf: async () => (await import('./formats/read-odf.ts')).readOdf,
  rtf: async () => (await import('./formats/read-rtf.ts')).readRtf,
  html: async () => (await import('./formats/read-html.ts')).readHtml,
  email: async () => (await import('./formats/read-email.ts')).readEmail,
  plain: async () => (await import('./formats/read-plain.ts')).readPlain,
};

async function read({ format, bytes }: DocumentTask): Promise<ReadDocument> {
  try {
    const found = await (await readers[format]())(bytes);
    // Replaces lone surrogates, and NUL, which databases do not accept.
    const text = Buffer.from(found.text).toString().replaceAll('\0', ' ');
    return { ...found, text, tokens: countTokens(text) };
  } catch (error) {
    return { fault: error instanceof DocumentError ? error.code : 'broken' };
  }
}

parentPort?.postMessage(await read(workerData as DocumentTask));
