/** The URL of a file in a conversation. */
export function fileUrl(id: string): string {
  return `/api/files/${encodeURIComponent(id)}`;
}
