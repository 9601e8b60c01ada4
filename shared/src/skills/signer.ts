import { z } from 'zod';

/** A person or program whose signature of a commit counts. */
export interface Signer {
  /** For people; not compared with the author of a commit. */
  name: string;
  /** The type of the key, such as `ssh-ed25519`. */
  type: string;
  /** The public key in base64. */
  key: string;
  /** Milliseconds since 1970; the key counts from then. */
  validAfter?: number;
  /** Milliseconds since 1970; the key counts until then. */
  validBefore?: number;
}

const keyTypes: ReadonlySet<string> = new Set([
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
]);
/** 2048 bits, in base64 with the exponent and the lengths of all parts. */
const minRsaLength = 370;

const example = 'Enter a name and a public key, such as "ann@example.com ssh-ed25519 AAAA…".';

/**
 * Parses a line as in ALLOWED SIGNERS of ssh-keygen(1): a name, options, the type of the key, the key, and a comment.
 *
 * @returns a sentence that says what is wrong with it, if something is
 */
export function parseSigner(line: string): Signer | { fault: string } {
  const words = line.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  if (/[\p{Cc}\p{Cf}]/u.test(line.replaceAll('\t', ' ')) || words[0]?.startsWith('#')) {
    return { fault: `This is not a signer. ${example}` };
  }
  const [name = '', second = '', ...rest] = words;
  const hasOptions = !keyTypes.has(second) && keyTypes.has(rest[0] ?? '');
  const [type = '', key = ''] = hasOptions ? rest : [second, ...rest];
  if (!keyTypes.has(type)) {
    return { fault: `The type of the key is missing or not supported. ${example}` };
  }
  if (!isKey(key, type)) {
    return { fault: `The key is not a public key of the type ${type}. ${example}` };
  }
  const signer = { name: name.replaceAll('"', ''), type, key };
  if (type === 'ssh-rsa' && key.length < minRsaLength) {
    return { fault: `The RSA key of ${signer.name} has less than 2048 bits. Use another key.` };
  }
  return hasOptions ? withOptions(signer, second) : signer;
}

/** A public key begins with its type: https://www.rfc-editor.org/rfc/rfc4253#section-6.6 */
function isKey(key: string, type: string): boolean {
  const head = String.fromCharCode(0, 0, 0, type.length) + type;
  return (
    key.length % 4 === 0 &&
    key.length > 60 &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(key) &&
    atob(key).startsWith(head)
  );
}

function withOptions(signer: Signer, text: string): Signer | { fault: string } {
  const result = { ...signer };
  for (const option of text.match(/(?:"[^"]*"|[^,"])+/g) ?? []) {
    const [, name = '', value = ''] = /^([^=]*)(?:="([^"]*)")?$/.exec(option) ?? [];
    const time = parseTime(value);
    if (/^valid-after$/i.test(name) && time !== undefined) {
      result.validAfter = time;
    } else if (/^valid-before$/i.test(name) && time !== undefined) {
      result.validBefore = time;
    } else if (!(/^namespaces$/i.test(name) && value.split(',').includes('git'))) {
      const fault = `The option ${option} of ${signer.name} is not supported.`;
      return { fault: `${fault} Use valid-after, valid-before, or namespaces="git".` };
    }
  }
  return result;
}

/** `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with `Z` for UTC. Otherwise in the time zone of the server. */
function parseTime(text: string): number | undefined {
  const [, date = '', hour = '00', minute = '00', second = '00', zone = ''] =
    /^(\d{8})(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text) ?? [];
  const day = date.replace(/(....)(..)(..)/, '$1-$2-$3');
  const time = Date.parse(`${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time) ? undefined : time;
}

/** A line of `parseSigner`. */
export const signerLine = z
  .string()
  .trim()
  .max(4000)
  .superRefine((line, context) => {
    const signer = parseSigner(line);
    if ('fault' in signer) {
      context.addIssue({ code: 'custom', message: signer.fault });
    }
  });
