import { charOf, type Effects, endsWith, isLineEnding, type State } from './inline-formula.ts';
import { closingAt, closings, isFormula, type Opening } from './is-formula.ts';

interface BlockEffects extends Effects {
  check: (construct: typeof nextLine, ok: State, nok: State) => State;
}

interface Tokenizer {
  interrupt?: boolean;
  parser: { lazy: Record<number, boolean> };
  now: () => { line: number };
}

interface Way {
  effects: BlockEffects;
  ok: State;
  nok: State;
  /** Whether this is only a lookahead for the start of a formula. */
  isAsked: boolean;
}

const [block, line, lineEnding, linePrefix] = [
  'formulaBlock',
  'formulaLine',
  'lineEnding',
  'linePrefix',
];

/**
 * A micromark construct for display formulas: from `$$` or `\[` at the beginning of a line to the closing mark
 * at the end of one, or to a blank line. Looks at each character once; an unclosed formula is detected later.
 */
export const formulaBlock = {
  name: block,
  concrete: true,
  tokenize(this: Tokenizer, effects: BlockEffects, ok: State, nok: State): State {
    return new BlockReader({ effects, ok, nok, isAsked: this.interrupt === true }).start;
  },
};

class BlockReader {
  private readonly way: Way;
  private open: Opening | undefined;
  /** Position in the current line. */
  private text = '';
  private isFirst = true;

  constructor(way: Way) {
    this.way = way;
  }

  start: State = (code) => {
    this.way.effects.enter(block);
    this.way.effects.enter(line);
    this.text = charOf(code);
    this.way.effects.consume(code);
    return this.second;
  };

  private second: State = (code) => {
    const mark = this.text + charOf(code);
    if (mark !== '$$' && mark !== '\\[') {
      return this.way.nok(code);
    }
    this.open = mark;
    this.text = '';
    this.way.effects.consume(code);
    return this.inside;
  };

  private inside: State = (code) => {
    const { effects, nok, isAsked } = this.way;
    if (code !== null && !isLineEnding(code)) {
      this.text += charOf(code);
      effects.consume(code);
      return this.inside;
    }
    const isClosed = this.open !== undefined && endsWith(this.text.trimEnd(), closings[this.open]);
    if (this.isFirst && !this.mayBegin(isClosed)) {
      return nok(code);
    }
    effects.exit(line);
    if (isClosed || code === null || isAsked) {
      return this.end(code);
    }
    return effects.check(nextLine, this.further, this.end)(code);
  };

  /** If closed on its first line, it must end there; an unclosed one must look more like a formula than like text. */
  private mayBegin(isClosed: boolean): boolean {
    const { open, text } = this;
    if (open === undefined || text.startsWith('$')) {
      return false;
    }
    const at = closingAt(text, open);
    if (at < 0) {
      return !/\p{L}{2,}\s+\p{L}{2,}/u.test(text.replace(/\\\w+/g, ''));
    }
    const isLast = isClosed && at + closings[open].length === text.trimEnd().length;
    return isLast && isFormula({ open, tex: text.slice(0, at), before: '', after: '' });
  }

  private further: State = (code) => {
    const { effects } = this.way;
    effects.enter(lineEnding);
    effects.consume(code);
    effects.exit(lineEnding);
    effects.enter(line);
    this.text = '';
    this.isFirst = false;
    return this.inside;
  };

  private end: State = (code) => {
    this.way.effects.exit(block);
    return this.way.ok(code);
  };
}

/** Whether another non-blank line follows that belongs to it. */
const nextLine = {
  partial: true,
  tokenize(this: Tokenizer, effects: Effects, ok: State, nok: State): State {
    const isEnd = (code: number | null) => code === null || isLineEnding(code);
    const begin: State = (code) => {
      if (isEnd(code) || charOf(code) !== ' ') {
        return isEnd(code) ? nok(code) : ok(code);
      }
      effects.enter(linePrefix);
      return spaces(code);
    };
    const spaces: State = (code) => {
      if (charOf(code) === ' ') {
        effects.consume(code);
        return spaces;
      }
      effects.exit(linePrefix);
      return isEnd(code) ? nok(code) : ok(code);
    };
    return (code) => {
      effects.enter(lineEnding);
      effects.consume(code);
      effects.exit(lineEnding);
      return this.parser.lazy[this.now().line] ? nok : begin;
    };
  },
};
