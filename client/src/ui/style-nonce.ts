/**
 * What lets a style element hold under the content security policy: the page has it. Empty where
 * there is no policy, as in tests.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
}
