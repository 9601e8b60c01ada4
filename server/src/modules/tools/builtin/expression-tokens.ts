/** A user-facing error in an expression, as a sentence. */
export class ExpressionError extends Error {}

export type Token = { kind: 'number'; value: number } | { kind: 'name' | 'sign'; text: string };

/** Tokenizes an expression in linear time. Throws `ExpressionError` for anything else. */
export function tokenizeExpression(text: string): Token[] {
  const token = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|([a-z][a-z0-9]*)|([-+*/%^!(),]))/iy;
  const plain = text
    .replace(/\*\*/g, '^')
    .replace(/[×·]/g, '*')
    .replace(/÷/g, '/')
    .replace(/−/g, '-')
    .trimEnd();
  const tokens: Token[] = [];
  while (token.lastIndex < plain.length) {
    const from = token.lastIndex;
    const [, number, name, sign = ''] = token.exec(plain) ?? [];
    if (number === undefined && name === undefined && sign === '') {
      const rest = plain.slice(from).trim().slice(0, 20);
      throw new ExpressionError(
        `"${rest}" is no part of an arithmetic expression. Only numbers, operators and functions are.`,
      );
    }
    const text = name?.toLowerCase() ?? sign;
    tokens.push(
      number === undefined
        ? { kind: name === undefined ? 'sign' : 'name', text }
        : { kind: 'number', value: Number(number) },
    );
  }
  return tokens;
}
