import type { PageNode } from './page-node.ts';

const skipped: ReadonlySet<string> = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT HEAD BUTTON SELECT'.split(' '),
);
const blocks: ReadonlySet<string> = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DIV DL DT FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);

interface Step {
  node: PageNode;
  /** Whether its children have been written. */
  isLeft: boolean;
}

/**
 * The text of an element, with headings, lists, rows of tables and code as Markdown writes them. Deep trees
 * take no stack.
 */
export function plainMarkdown(root: PageNode): string {
  const out: string[] = [];
  const steps: Step[] = [{ node: root, isLeft: false }];
  let codeDepth = 0;
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { node, isLeft } = step;
    const name = node.nodeName.toUpperCase();
    if (node.nodeType === 3) {
      out.push(codeDepth > 0 ? (node.textContent ?? '') : inline(node.textContent ?? ''));
    } else if (isLeft) {
      codeDepth -= name === 'PRE' ? 1 : 0;
      out.push(endOf(name));
    } else if (!skipped.has(name)) {
      codeDepth += name === 'PRE' ? 1 : 0;
      out.push(startOf(name));
      steps.push({ node, isLeft: true });
      for (let child = node.lastChild; child; child = child.previousSibling) {
        steps.push({ node: child, isLeft: false });
      }
    }
  }
  return tidy(out.join(''));
}

function startOf(name: string): string {
  const level = /^H([1-6])$/.exec(name)?.[1];
  if (level) {
    return `\n\n${'#'.repeat(Number(level))} `;
  }
  switch (name) {
    case 'LI':
      return '\n- ';
    case 'TR':
      return '\n| ';
    case 'PRE':
      return '\n\n```\n';
    case 'BR':
      return '\n';
    case 'BLOCKQUOTE':
      return '\n\n> ';
    default:
      return blocks.has(name) ? '\n\n' : '';
  }
}

function endOf(name: string): string {
  if (/^H[1-6]$/.test(name)) {
    return '\n\n';
  }
  switch (name) {
    case 'TD':
    case 'TH':
      return ' | ';
    case 'LI':
    case 'TR':
      return '\n';
    case 'PRE':
      return '\n```\n\n';
    default:
      return blocks.has(name) ? '\n\n' : '';
  }
}

function inline(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Each line without blanks at its ends, items of lists together, and never two empty lines; code as it is. */
function tidy(text: string): string {
  return text
    .split(/(\n```\n[\s\S]*?\n```\n)/)
    .map((part, index) => (index % 2 === 1 ? part : tidyLines(part)))
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function tidyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .join('\n')
    .replace(/^([->]|#{1,6})\n+(?=\S)/gm, '$1 ')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/(\n- [^\n]*)\n\n(?=- )/g, '$1\n')
    .replace(/(\n\|[^\n]*)\n\n(?=\|)/g, '$1\n');
}
