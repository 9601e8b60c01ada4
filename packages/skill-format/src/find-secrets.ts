/** A possible secret in a text. */
export interface FoundSecret {
  kind: SecretKind;
  /** Its first characters, such as `AKIA…`; empty for a private key. */
  start: string;
  /** From 1. */
  line: number;
}

type SecretKind = 'private-key' | 'aws' | 'github' | 'slack' | 'google' | 'api-key' | 'other';

interface Pattern {
  kind: SecretKind;
  /** All repetitions are bounded, to prevent ReDoS. */
  pattern: RegExp;
  /** Whether a match is likely a real secret. */
  isLikely?: (secret: string) => boolean;
}

const patterns: readonly Pattern[] = [
  { kind: 'private-key', pattern: /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----/g },
  { kind: 'aws', pattern: /\b((?:AKIA|ASIA)[0-9A-Z]{16})\b/g },
  { kind: 'github', pattern: /\b(gh[pousr]_\w{36,255}|github_pat_\w{22,255})/g },
  { kind: 'slack', pattern: /\b(xox[abeoprs]-[A-Za-z0-9-]{10,255})/g },
  { kind: 'google', pattern: /\b(AIza[\w-]{35})/g },
  { kind: 'api-key', pattern: /\b(sk-[\w-]{20,255})/g, isLikely: isRandom },
  {
    kind: 'other',
    pattern:
      /(?:api[_-]?key|secret|token|passw(?:or)?d)\w{0,20}["']?[ \t]{0,20}[:=][ \t]{0,20}["']([\w+/=.~-]{20,255})["']/gi,
    isLikely: isRandom,
  },
];

/** Possible secrets in a text: the first of each kind, at most one per line. */
export function findSecrets(text: string): FoundSecret[] {
  const found = patterns.flatMap(({ kind, pattern, isLikely = () => true }) => {
    for (const { index, 1: secret = '' } of text.matchAll(pattern)) {
      if (isLikely(secret)) {
        const start = secret && `${secret.slice(0, 4)}…`;
        return [{ kind, start, line: lineAt(text, index) }];
      }
    }
    return [];
  });
  return found.filter(({ line }, at) => found.findIndex((other) => other.line === line) === at);
}

const privateKey =
  /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s]{0,10000}-----END (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----)?/g;

/** The texts of all possible secrets, private keys in full. */
export function findSecretTexts(text: string): string[] {
  const keys = [...text.matchAll(privateKey)].map(([whole]) => whole);
  const others = patterns.filter(({ kind }) => kind !== 'private-key');
  const secrets = others.flatMap(({ pattern, isLikely = () => true }) =>
    [...text.matchAll(pattern)].flatMap(({ 1: secret = '' }) => (isLikely(secret) ? [secret] : [])),
  );
  return [...keys, ...secrets];
}

/** Excludes words and placeholders in examples. */
function isRandom(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret) && new Set(secret).size >= 12;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
