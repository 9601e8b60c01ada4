import { type Attachment, maxFileBytes } from '@knowhow/shared/chat/attachments';
import { filesApi } from '@knowhow/shared/chat/files';
import { problem } from '@knowhow/shared/problem';
import { upload } from '../../../api/upload.ts';
import { scalePicture } from './scale-picture.ts';

interface UploadOptions {
  signal: AbortSignal;
  onProgress: (sent: number) => void;
  isTemporary: boolean;
}

/** Uploads an attachment; a large picture is scaled down first. Throws like `upload`. */
export async function uploadFile(file: File, options: UploadOptions): Promise<Attachment> {
  const sent = await scalePicture(file);
  if (sent.size > maxFileBytes) {
    throw problem('too-large', `It has more than ${Math.floor(maxFileBytes / 1024 / 1024)} MiB.`);
  }
  const query = options.isTemporary ? { temporary: 'true' as const } : {};
  return upload(filesApi.upload, { file: sent, query }, options);
}
