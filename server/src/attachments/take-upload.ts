import type { Attachment } from '@knowhow/shared/files';
import { problem } from '@knowhow/shared/problem';
import type { ConversationFiles } from '../conversations/files.ts';
import { countTokens } from '../lib/count-tokens.ts';
import { fileName } from './file-name.ts';

interface Dependencies {
  files: Pick<ConversationFiles, 'upload'>;
}

interface Uploading {
  owner: string;
  /** As the sender calls it. */
  name: string | undefined;
  bytes: Buffer;
}

/**
 * Finds out what an uploaded file is, reads its text, and keeps it until it is sent. Throws `unsupported-type` for what
 * is neither a picture nor has a text, and `bad-request` for what is broken.
 */
export async function takeUpload(
  { owner, name, bytes }: Uploading,
  { files }: Dependencies,
): Promise<Attachment> {
  if (bytes.length === 0) {
    throw problem('bad-request', 'The file is empty.');
  }
  const text = bytes.toString('utf8');
  return files.upload(owner, {
    ...{ name: fileName(name), type: 'text/plain; charset=utf-8', bytes, text },
    details: { kind: 'text', tokens: countTokens(text), length: text.length },
  });
}
