import { callFunction, divide, factorial, getConstant } from './expression-functions.ts';
import { ExpressionError, type Token, tokenizeExpression } from './expression-tokens.ts';

/** Limit against stack overflow. */
const maxDepth = 100;

/**
 * Evaluates an arithmetic expression in double precision and linear time. Throws `ExpressionError`
 * for syntax errors and non-finite results.
 */
export function evaluateExpression(text: string): number {
  const value = new Parser(tokenizeExpression(text)).readAll();
  if (!Number.isFinite(value)) {
    throw new ExpressionError('It has no finite result: too large, or not a real number.');
  }
  return value;
}

/** A recursive descent parser; each method reads operators of at least its precedence. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  readAll(): number {
    const value = this.#readSum();
    if (this.#at < this.#tokens.length) {
      throw new ExpressionError(`${this.#here()}, an operator such as + or * is missing.`);
    }
    return value;
  }

  #readSum(): number {
    let value = this.#readProduct();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const next = this.#readProduct();
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  }

  #readProduct(): number {
    let value = this.#readSigned();
    for (let sign = this.#take('*', '/', '%'); sign; sign = this.#take('*', '/', '%')) {
      const next = this.#readSigned();
      value = sign === '*' ? value * next : divide(value, next, sign);
    }
    return value;
  }

  /** A sign binds weaker than a power: -2 ^ 2 is -4. */
  #readSigned(): number {
    const sign = this.#take('-', '+');
    const value = sign ? this.#nested(() => this.#readSigned()) : this.#readPower();
    return sign === '-' ? -value : value;
  }

  #readPower(): number {
    let base = this.#readOne();
    while (this.#take('!')) {
      base = factorial(base);
    }
    return this.#take('^') ? base ** this.#nested(() => this.#readSigned()) : base;
  }

  #readOne(): number {
    const token = this.#tokens[this.#at];
    if (this.#take('(')) {
      const value = this.#nested(() => this.#readSum());
      this.#expect(')');
      return value;
    }
    if (!token || token.kind === 'sign') {
      throw new ExpressionError(`${this.#here()}, a number is missing.`);
    }
    this.#at += 1;
    if (token.kind === 'number') {
      return token.value;
    }
    return this.#take('(')
      ? callFunction(
          token.text,
          this.#nested(() => this.#readArguments()),
        )
      : getConstant(token.text);
  }

  #readArguments(): number[] {
    if (this.#take(')')) {
      return [];
    }
    const values = [this.#readSum()];
    while (this.#take(',')) {
      values.push(this.#readSum());
    }
    this.#expect(')');
    return values;
  }

  /** Consumes the next token if it is one of these signs. */
  #take(...signs: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    const sign = token?.kind === 'sign' && signs.includes(token.text) ? token.text : undefined;
    this.#at += sign ? 1 : 0;
    return sign;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) {
      throw new ExpressionError(`${this.#here()}, a "${sign}" is missing.`);
    }
  }

  #nested<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw new ExpressionError(`It is nested more than ${maxDepth} deep. Split it.`);
    }
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #here(): string {
    const token = this.#tokens[this.#at];
    if (!token) {
      return 'At the end';
    }
    return `Before "${token.kind === 'number' ? token.value : token.text}"`;
  }
}
