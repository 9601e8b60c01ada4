/** Where a file of a conversation is. */
export function fileAddress(id: string): string {
  return `/api/files/${encodeURIComponent(id)}`;
}
