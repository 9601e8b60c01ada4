/** Keys, and a file of password hashes that is another product's. */
const secretName = /^\.(?:encryption-key|jwt|env)(?:[.-]|$)|\.(?:pem|key|p12|pfx|jks)$/i;

/** What is in `contents/` and is never in a backup. A restore leaves it where it is. */
export function isSecret(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    !path.startsWith('contents/skills/') &&
    (secretName.test(name) || path === 'contents/config/users.json')
  );
}
