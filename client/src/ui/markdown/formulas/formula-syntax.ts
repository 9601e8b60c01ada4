import type { Element, ElementContent } from 'hast';
import type { Processor } from 'unified';
import {
  charOf,
  type Effects,
  endsWith,
  inlineFormula,
  isLineEnding,
  type State,
} from './inline-formula.ts';
import { closingAt, closings, isFormula, maxBlockLength, type Opening } from './is-formula.ts';

/** A formula in the Markdown AST (mdast). */
interface FormulaNode {
  type: 'formula' | 'formulaBlock';
  /** Including its delimiters. */
  value: string;
}

const backslash = 92;
const dollar = 36;

/** The used part of mdast-util-from-markdown. */
interface Compiler {
  enter: (node: FormulaNode, token: unknown) => void;
  exit: (token: unknown) => void;
  stack: unknown[];
  sliceSerialize: (token: unknown) => string;
}

/** A remark plugin: formulas between `$`, `$$`, `\(` and `\[` become nodes, in which nothing else is Markdown. */
export function formulaSyntax(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions ??= [];
  const constructs = {
    flow: { [backslash]: formulaBlock, [dollar]: formulaBlock },
    text: { [backslash]: inlineFormula, [dollar]: inlineFormula },
  };
  // Its types accept only its own tokens.
  data.micromarkExtensions.push(constructs as never);
  data.fromMarkdownExtensions ??= [];
  data.fromMarkdownExtensions.push({
    enter: { formula: enter('formula'), formulaBlock: enter('formulaBlock') },
    exit: { formulaLine: addLine, formula: exit, formulaBlock: exit },
  });
}

function enter(type: FormulaNode['type']) {
  return function (this: unknown, token: unknown): undefined {
    (this as Compiler).enter({ type, value: '' }, token);
  };
}

function addLine(this: unknown, token: unknown): undefined {
  const compiler = this as Compiler;
  const node = compiler.stack.at(-1) as FormulaNode;
  node.value += `${node.value && '\n'}${compiler.sliceSerialize(token)}`;
}

function exit(this: unknown, token: unknown): undefined {
  (this as Compiler).exit(token);
}

/** Handlers for remark-rehype that convert the nodes to elements. */
export const formulaHandlers = {
  formula: (_: unknown, { value }: FormulaNode): ElementContent => {
    const open = getOpening(value);
    const display = open === '$$' || open === '\\[';
    return createFormulaElement(value, value.slice(open.length, -closings[open].length), display);
  },
  // An unclosed formula is text; text after its end is a separate node.
  formulaBlock: (_: unknown, { value }: FormulaNode): ElementContent[] => {
    const open = getOpening(value);
    const inside = value.slice(open.length);
    const end = closingAt(inside, open);
    const tex = inside.slice(0, end);
    if (end < 0 || tex.trim() === '' || tex.length > maxBlockLength) {
      return [createParagraph(value)];
    }
    const behind = inside.slice(end + closings[open].length).trim();
    const formula = createFormulaElement(`${open}${tex}${closings[open]}`, tex, true);
    return [
      { type: 'element', tagName: 'p', properties: {}, children: [formula] },
      ...(behind === '' ? [] : [createParagraph(behind)]),
    ];
  },
};

/** The element of a formula: its TeX as text, until it is rendered. */
function createFormulaElement(source: string, tex: string, display: boolean): Element {
  return {
    type: 'element',
    tagName: 'var',
    properties: { dataTex: tex.trim(), dataDisplay: display || undefined },
    children: [{ type: 'text', value: source }],
  };
}

function createParagraph(text: string): Element {
  return {
    type: 'element',
    tagName: 'p',
    properties: {},
    children: [{ type: 'text', value: text }],
  };
}

function getOpening(value: string): Opening {
  return (['$$', '\\(', '\\['] as const).find((open) => value.startsWith(open)) ?? '$';
}

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
const formulaBlock = {
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
