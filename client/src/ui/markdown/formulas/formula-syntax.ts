import type { Element, ElementContent } from 'hast';
import type { Processor } from 'unified';
import { formulaBlock } from './formula-block.ts';
import { inlineFormula } from './inline-formula.ts';
import { closingAt, closings, longestBlock, type Opening } from './is-formula.ts';

/** A formula in the tree of a Markdown text, before it is rendered. */
interface FormulaNode {
  type: 'formula' | 'formulaBlock';
  /** With its marks. */
  value: string;
}

const backslash = 92;
const dollar = 36;

/** The part of mdast-util-from-markdown that is used here. */
interface Compiler {
  enter: (node: FormulaNode, token: unknown) => void;
  exit: (token: unknown) => void;
  stack: unknown[];
  sliceSerialize: (token: unknown) => string;
}

/**
 * A plugin of remark: formulas between `$`, `$$`, `\(` and `\[` become nodes of their own, in which
 * nothing else is Markdown.
 */
export function formulaSyntax(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions ??= [];
  const constructs = {
    flow: { [backslash]: formulaBlock, [dollar]: formulaBlock },
    text: { [backslash]: inlineFormula, [dollar]: inlineFormula },
  };
  // Its types know no tokens but its own.
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

/** What the nodes become in the tree that is shown: handlers for remark-rehype. */
export const formulaHandlers = {
  formula: (_: unknown, { value }: FormulaNode): ElementContent => {
    const open = openingOf(value);
    const display = open === '$$' || open === '\\[';
    return formulaOf(value, value.slice(open.length, -closings[open].length), display);
  },
  // One that is never closed is a text; what stands behind its end is one of its own.
  formulaBlock: (_: unknown, { value }: FormulaNode): ElementContent[] => {
    const open = openingOf(value);
    const inside = value.slice(open.length);
    const end = closingAt(inside, open);
    const tex = inside.slice(0, end);
    if (end < 0 || tex.trim() === '' || tex.length > longestBlock) {
      return [paragraphOf(value)];
    }
    const behind = inside.slice(end + closings[open].length).trim();
    const formula = formulaOf(`${open}${tex}${closings[open]}`, tex, true);
    return [
      { type: 'element', tagName: 'p', properties: {}, children: [formula] },
      ...(behind === '' ? [] : [paragraphOf(behind)]),
    ];
  },
};

/** The element of a formula: its own TeX as text, until it is rendered. */
function formulaOf(source: string, tex: string, display: boolean): Element {
  return {
    type: 'element',
    tagName: 'var',
    properties: { dataTex: tex.trim(), dataDisplay: display || undefined },
    children: [{ type: 'text', value: source }],
  };
}

function paragraphOf(text: string): Element {
  return {
    type: 'element',
    tagName: 'p',
    properties: {},
    children: [{ type: 'text', value: text }],
  };
}

function openingOf(value: string): Opening {
  return (['$$', '\\(', '\\['] as const).find((open) => value.startsWith(open)) ?? '$';
}
