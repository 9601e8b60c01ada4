/** The address of an SVG as an image. One of its own kind: opened by itself, it is of no origin. */
export function pictureAddress(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
