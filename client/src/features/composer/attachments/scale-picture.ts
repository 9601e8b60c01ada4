/** The longest side of a picture that models read whole, in pixels. */
const longestSide = 1568;
/** A smaller picture is sent as it is, where its sides are not too long. */
const mostBytes = 1_500_000;

/**
 * A picture as models read it: with sides that are not too long. What comes of that holds nothing but what is seen. Any
 * other file, and what this browser cannot read, stays as it is.
 */
export async function scalePicture(file: File): Promise<File> {
  if (!/^image\/(png|jpeg|webp)$/.test(file.type) || !('createImageBitmap' in globalThis)) {
    return file;
  }
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) {
    return file;
  }
  try {
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    return scale === 1 && file.size <= mostBytes ? file : await redraw(picture, scale, file);
  } finally {
    picture.close();
  }
}

async function redraw(picture: ImageBitmap, scale: number, file: File): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) {
    return file;
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  // A screenshot is sharp in PNG, and may be seen through.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9));
  if (!blob) {
    return file;
  }
  const ending = type === 'image/jpeg' ? '.jpg' : '.png';
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}${ending}`, { type });
}
