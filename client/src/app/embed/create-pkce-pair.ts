export interface PkcePair {
  /** 32 random bytes. */
  secret: string;
  /** The SHA-256 hash of `secret`. */
  challenge: string;
}

/** A PKCE-style secret of the frame and its challenge, both base64url. Requires HTTPS or localhost. */
export async function createPkcePair(): Promise<PkcePair | null> {
  if (!window.isSecureContext) {
    return null;
  }
  const secret = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return { secret, challenge: base64Url(new Uint8Array(digest)) };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}
