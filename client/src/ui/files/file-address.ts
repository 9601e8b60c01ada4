/** The URL of a file in a conversation. */
export function fileAddress(id: string): string {
  return `/api/files/${encodeURIComponent(id)}`;
}
