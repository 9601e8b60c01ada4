import type { OidcProvider } from './oidc-providers.ts';

/** Whether an address that a provider names is there, and by https unless the provider itself is on this machine. */
export function isSecure(address: string | undefined, { issuer }: Pick<OidcProvider, 'issuer'>) {
  return (
    address !== undefined &&
    URL.canParse(address) &&
    (address.startsWith('https:') || issuer.startsWith('http:'))
  );
}
