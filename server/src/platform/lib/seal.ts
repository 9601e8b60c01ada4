import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Authenticated encryption of stored data for one purpose: AES-256-GCM with a key derived from the
 * secret.
 */
export interface Seal {
  /** @param owner bound to the ciphertext: it opens for no other owner */
  seal(text: string, owner: string): string;
  /** Undefined if sealed with another secret or for another owner, or if modified. */
  open(sealed: string, owner: string): string | undefined;
}

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** @param secret 32 random bytes */
export function createSeal(secret: Uint8Array, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    seal: (text, owner) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')}`;
    },
    open: (sealed, owner) => {
      const [written, encoded = ''] = sealed.split('.');
      const bytes = Buffer.from(encoded, 'base64url');
      if (written !== version || bytes.length < nonceBytes + tagBytes) {
        return undefined;
      }
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8');
        return text + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
