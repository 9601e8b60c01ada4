/** The URL without its credentials, for messages. */
export function shownAddress(url: string): string {
  const { protocol, hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  return `${protocol}//${host}${port && `:${port}`}${pathname} (DATABASE_URL)`;
}
