import { closings, isFormula, maxInlineLength, type Opening } from './is-formula.ts';

/** A state of the micromark tokenizer; null is the end of input. */
export type State = (code: number | null) => State | undefined;

/** The used part of micromark's effects. */
export interface Effects {
  enter: (type: string) => unknown;
  exit: (type: string) => unknown;
  consume: (code: number | null) => unknown;
}

const [formula, line, lineEnding] = ['formula', 'formulaLine', 'lineEnding'];

interface Way {
  effects: Effects;
  ok: State;
  nok: State;
  /** The previous character. */
  before: string;
}

/** A micromark construct for inline formulas. */
export const inlineFormula = {
  name: formula,
  tokenize(this: { previous: number | null }, effects: Effects, ok: State, nok: State): State {
    return new FormulaReader({ effects, ok, nok, before: charOf(this.previous) }).start;
  },
};

class FormulaReader {
  private readonly way: Way;
  private open: Opening = '$';
  private tex = '';
  private isEscaped = false;
  private dollarsSeen = 0;

  constructor(way: Way) {
    this.way = way;
  }

  start: State = (code) => {
    const { effects } = this.way;
    effects.enter(formula);
    effects.enter(line);
    effects.consume(code);
    return charOf(code) === '\\' ? this.bracket : this.dollars;
  };

  private bracket: State = (code) => {
    const char = charOf(code);
    if (char !== '(' && char !== '[') {
      return this.way.nok(code);
    }
    this.open = `\\${char}`;
    this.way.effects.consume(code);
    return this.inside;
  };

  private dollars: State = (code) => {
    if (charOf(code) !== '$') {
      return this.inside(code);
    }
    this.open = '$$';
    this.way.effects.consume(code);
    return this.inside;
  };

  private inside: State = (code) => {
    const { effects, nok } = this.way;
    const char = charOf(code);
    if (code === null || this.tex.length > maxInlineLength) {
      return nok(code);
    }
    if (isLineEnding(code)) {
      // Single dollar signs must be on one line: otherwise they are more often money.
      return this.open === '$' ? nok(code) : this.nextLine(code);
    }
    // In a text with code and money, the code stays code.
    if (char === '`' && this.open.startsWith('$')) {
      return nok(code);
    }
    // Formulas do not nest, so the search for the end stops at the next one.
    if (this.isEscaped && char === this.open[1]) {
      return nok(code);
    }
    this.tex += char;
    effects.consume(code);
    if (!this.closesWith(char)) {
      return this.inside;
    }
    this.tex = this.tex.slice(0, -closings[this.open].length);
    return this.end;
  };

  /** One character at a time, because scanning the end of a growing text would be quadratic. */
  private closesWith(char: string): boolean {
    const { open, isEscaped } = this;
    this.isEscaped = char === '\\' && !isEscaped;
    this.dollarsSeen = char === '$' && !isEscaped ? this.dollarsSeen + 1 : 0;
    return open.startsWith('$')
      ? this.dollarsSeen === open.length
      : isEscaped && char === closings[open][1];
  }

  private nextLine: State = (code) => {
    const { effects } = this.way;
    this.tex += '\n';
    effects.exit(line);
    effects.enter(lineEnding);
    effects.consume(code);
    effects.exit(lineEnding);
    effects.enter(line);
    return this.inside;
  };

  private end: State = (code) => {
    const { effects, ok, nok, before } = this.way;
    if (!isFormula({ open: this.open, tex: this.tex, before, after: charOf(code) })) {
      return nok(code);
    }
    effects.exit(line);
    effects.exit(formula);
    return ok(code);
  };
}

/** micromark uses different codes for line endings. */
export function isLineEnding(code: number): boolean {
  return code < -2;
}

/** A character code of micromark; tabs and virtual spaces are negative. */
export function charOf(code: number | null): string {
  if (code === null || isLineEnding(code)) {
    return '';
  }
  return code < 0 ? ' ' : String.fromCharCode(code);
}

/** Whether a text ends with an unescaped closing delimiter. */
export function endsWith(text: string, close: string): boolean {
  if (!text.endsWith(close)) {
    return false;
  }
  const backslashes = /\\*$/.exec(text.slice(0, -close.length))?.[0].length ?? 0;
  return backslashes % 2 === 0;
}
