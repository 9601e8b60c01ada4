import type { Field } from './field.ts';
import { hostileDocuments } from './hostile-documents.ts';

/** Number of documents in the short form. */
const shortDocuments = 2;
/** Parsing may take 30 s per document, plus the queue. */
const timeoutMs = 90_000;

/** Uploads documents that are expensive to parse: one by one, then concurrently by several users. */
export async function attackWithDocuments(field: Field): Promise<void> {
  const all = Object.entries(hostileDocuments());
  const documents = field.options.isShort ? all.slice(0, shortDocuments) : all;
  for (const [name, create] of documents) {
    const body = create();
    const users = field.options.isShort ? (['user'] as const) : (['user', 'admin'] as const);
    await Promise.all(users.map((as) => upload(field, { as, name, body })));
  }
  // A harmless document must still work afterwards.
  const { status } = await upload(field, {
    as: 'user',
    name: 'harmless.txt',
    body: Buffer.from('Hello.'),
  });
  field.check(status === 201, `A harmless document is answered with ${status} afterwards.`);
}

interface Document {
  as: 'user' | 'admin';
  name: string;
  body: Buffer;
}

function upload(field: Field, { as, name, body }: Document) {
  const headers = { 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', path: `/api/files?name=${name}`, headers, body };
  return field.ask(request, { as, replay: `(${name})`, timeoutMs });
}
