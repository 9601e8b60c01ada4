/** A data URL of an SVG: opened directly, it has an opaque origin. */
export function pictureAddress(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
