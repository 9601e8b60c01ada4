import { type Attachment, maxFileBytes } from '@knowhow/shared/chat/attachments';
import { filesApi } from '@knowhow/shared/chat/files';
import { problem } from '@knowhow/shared/problem';
import { upload } from '../../../api/upload.ts';

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

/** The maximum side of a picture that models read without scaling, in pixels. */
const longestSide = 1568;

/** A smaller file is sent unchanged if its sides are within the limit. */
const mostBytes = 1_500_000;

/**
 * Scales a picture down to the maximum size of models. Re-encoding also strips metadata. Any other file, or one
 * that this browser cannot decode, is returned unchanged.
 */
async function scalePicture(file: File): Promise<File> {
  if (!/^image\/(png|jpeg|webp)$/.test(file.type) || !('createImageBitmap' in globalThis)) {
    return file;
  }
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) {
    return file;
  }
  try {
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    return scale === 1 && file.size <= mostBytes ? file : await reencode(picture, scale, file);
  } finally {
    picture.close();
  }
}

async function reencode(picture: ImageBitmap, scale: number, file: File): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) {
    return file;
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  // PNG keeps screenshots sharp, and may be transparent.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9));
  if (!blob) {
    return file;
  }
  const ending = type === 'image/jpeg' ? '.jpg' : '.png';
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}${ending}`, { type });
}
