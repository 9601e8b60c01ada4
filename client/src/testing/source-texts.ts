import { parseSync } from 'vite';

/** The plain strings in a source file. */
export interface SourceTexts {
  /** All strings in the code: potential translation keys. */
  strings: string[];
  /** Plain string arguments of `t(…)`. */
  keys: string[];
  /** Untranslated text in JSX that a user would see or hear. */
  hardCoded: string[];
}

interface Node {
  type: string;
  [field: string]: unknown;
}

/** Attributes whose value is read out or shown. */
const spoken = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title']);

/** Names that are the same in every language. */
const names = new Set(['Knowhow']);

/** Extracts the strings of a TypeScript file with JSX. */
export function sourceTexts(path: string, code: string): SourceTexts {
  const texts: SourceTexts = { strings: [], keys: [], hardCoded: [] };
  visit(parseSync(path, code, { lang: 'tsx' }).program as unknown as Node, texts);
  return texts;
}

function visit(node: Node, texts: SourceTexts): void {
  if (node.type === 'Literal' && typeof node.value === 'string') {
    texts.strings.push(node.value);
  }
  if (node.type === 'CallExpression' && nameOf(node.callee) === 't') {
    texts.keys.push(...wordsOf((node.arguments as Node[])[0]));
  }
  if (node.type === 'JSXAttribute' && spoken.has(nameOf(node.name))) {
    texts.hardCoded.push(...wordsOf(node.value as Node | null).filter(isWord));
  }
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    texts.hardCoded.push(...childWords(node).filter(isWord));
  }
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) {
      visit(child, texts);
    }
  }
}

/** Text between tags; key caps show the label of the key. */
function childWords(element: Node): string[] {
  const { name } = (element.openingElement ?? {}) as { name?: unknown };
  return nameOf(name) === 'Kbd' ? [] : (element.children as Node[]).flatMap(wordsOf);
}

/** The possible string values of an expression, without calls. */
function wordsOf(node: Node | null | undefined): string[] {
  switch (node?.type) {
    case 'JSXText':
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw);
    case 'JSXExpressionContainer':
      return wordsOf(node.expression as Node);
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap((part) => wordsOf(part as Node));
    case 'BinaryExpression':
      return node.operator === '+' ? sidesOf(node) : [];
    case 'LogicalExpression':
      return sidesOf(node);
    default:
      return [];
  }
}

function sidesOf({ left, right }: Node): string[] {
  return [left, right].flatMap((side) => wordsOf(side as Node));
}

function isWord(text: string): boolean {
  return /\p{L}/u.test(text) && !names.has(text.trim());
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
