/**
 * Whether a host is this machine, with or without IPv6 brackets. Of all names only `localhost`
 * counts: its subdomains may resolve elsewhere.
 */
export function isLoopbackHost(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}
