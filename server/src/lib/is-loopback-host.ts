/**
 * Whether a host is this machine, with the brackets of IPv6 or without. Of names only `localhost` is: what
 * is below it may be looked up elsewhere.
 */
export function isLoopbackHost(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}
