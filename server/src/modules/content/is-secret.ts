/** Private keys, `.env` files, and the like. */
const secretName = /^\.(?:encryption-key|jwt|env)(?:[.-]|$)|\.(?:pem|key|p12|pfx|jks)$/i;

/** Whether a file in `contents/` is secret and therefore never part of a backup. A restore leaves it in place. */
export function isSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    !path.startsWith('contents/skills/') &&
    (secretName.test(name) || path === 'contents/config/users.json')
  );
}
