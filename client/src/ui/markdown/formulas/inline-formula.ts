import { closings, isFormula, longestInline, type Opening } from './is-formula.ts';

/** What micromark goes to with the next character; null is the end. */
export type State = (code: number | null) => State | undefined;

/** The part of micromark's effects that is used here. */
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
  /** The character before it. */
  before: string;
}

/** A formula within a paragraph, as a construct of micromark. */
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
    if (code === null || this.tex.length > longestInline) {
      return nok(code);
    }
    if (isLineEnding(code)) {
      // What is between single ones is on one line: they are money more often.
      return this.open === '$' ? nok(code) : this.nextLine(code);
    }
    // In a text with code and money, the code is code.
    if (char === '`' && this.open.startsWith('$')) {
      return nok(code);
    }
    // None begins within another: whoever looks for its end has to look no further than the next one.
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

  /** Looked at one by one, since to look at the end of a text that grows takes longer each time. */
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

/** micromark has a code of its own for each kind. */
export function isLineEnding(code: number): boolean {
  return code < -2;
}

/** A character of micromark's codes; those of tabs and of the spaces they stand for are negative. */
export function charOf(code: number | null): string {
  if (code === null || isLineEnding(code)) {
    return '';
  }
  return code < 0 ? ' ' : String.fromCharCode(code);
}

/** Whether a text ends with what closes a formula, and not with a backslash that takes it its meaning. */
export function endsWith(text: string, close: string): boolean {
  if (!text.endsWith(close)) {
    return false;
  }
  const backslashes = /\\*$/.exec(text.slice(0, -close.length))?.[0].length ?? 0;
  return backslashes % 2 === 0;
}
