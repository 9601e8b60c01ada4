/** The CSP nonce for style elements, from the page. Empty without a policy, as in tests. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
}
