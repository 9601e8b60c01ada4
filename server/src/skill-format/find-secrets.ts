/** Something in a text that looks like a secret. */
export interface FoundSecret {
  /** What it looks like, and how it begins: `an AWS access key: AKIA…`. */
  description: string;
  /** From 1. */
  line: number;
}

interface Pattern {
  name: string;
  /** Every repetition has an end, so that no text takes long. */
  pattern: RegExp;
  /** Whether what was found is one indeed. */
  isLikely?: (secret: string) => boolean;
}

const patterns: readonly Pattern[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----/g },
  { name: 'an AWS access key', pattern: /\b((?:AKIA|ASIA)[0-9A-Z]{16})\b/g },
  { name: 'a GitHub token', pattern: /\b(gh[pousr]_\w{36,255}|github_pat_\w{22,255})/g },
  { name: 'a Slack token', pattern: /\b(xox[abeoprs]-[A-Za-z0-9-]{10,255})/g },
  { name: 'a Google API key', pattern: /\b(AIza[\w-]{35})/g },
  { name: 'an API key', pattern: /\b(sk-[\w-]{20,255})/g, isLikely: isRandom },
  {
    name: 'a secret',
    pattern:
      /(?:api[_-]?key|secret|token|passw(?:or)?d)\w{0,20}["']?[ \t]{0,20}[:=][ \t]{0,20}["']([\w+/=.~-]{20,255})["']/gi,
    isLikely: isRandom,
  },
];

/** What looks like a secret in a text: the first of each kind, and one a line. */
export function findSecrets(text: string): FoundSecret[] {
  const found = patterns.flatMap(({ name, pattern, isLikely = () => true }) => {
    for (const { index, 1: secret = '' } of text.matchAll(pattern)) {
      if (isLikely(secret)) {
        const start = secret && `: ${secret.slice(0, 4)}…`;
        return [{ description: `${name}${start}`, line: lineAt(text, index) }];
      }
    }
    return [];
  });
  return found.filter(({ line }, at) => found.findIndex((other) => other.line === line) === at);
}

/** Not a word, nor what an example has in its place. */
function isRandom(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret) && new Set(secret).size >= 12;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
