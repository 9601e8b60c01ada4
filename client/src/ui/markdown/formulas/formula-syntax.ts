import type { Element, ElementContent } from 'hast';
import type { Processor } from 'unified';
import { formulaBlock } from './formula-block.ts';
import { inlineFormula } from './inline-formula.ts';
import { closingAt, closings, maxBlockLength, type Opening } from './is-formula.ts';

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
