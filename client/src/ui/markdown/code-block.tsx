import { isValidElement, type ReactNode, use } from 'react';
import { CodeFigure } from './code-figure.tsx';
import { OpenBlockContext } from './markdown-text-context.ts';
import { DiagramBlock } from './pictures/diagram-block.tsx';
import { SvgBlock } from './pictures/svg-block.tsx';

/** A code block; a diagram or an SVG once it is complete. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const isOpen = use(OpenBlockContext);
  const language = getLanguage(children);
  const text = getText(children).replace(/\n$/, '');
  const code = { language, text, children };
  if (!isOpen && language === 'mermaid') {
    return <DiagramBlock {...code} />;
  }
  if (!isOpen && isSvg(language, text)) {
    return <SvgBlock {...code} />;
  }
  return <CodeFigure {...code} />;
}

function getLanguage(code: ReactNode): string {
  const names = isValidElement<{ className?: string }>(code) ? code.props.className : undefined;
  return /language-([\w+#-]+)/.exec(names ?? '')?.[1]?.toLowerCase() ?? '';
}

function isSvg(language: string, text: string): boolean {
  return (
    language === 'svg' || (['xml', 'html', ''].includes(language) && /^\s*<svg[\s>]/.test(text))
  );
}

/** The plain text of highlighted code. */
function getText(node: ReactNode): string {
  if (Array.isArray(node)) {
    return node.map(getText).join('');
  }
  if (isValidElement<{ children?: ReactNode }>(node)) {
    return getText(node.props.children);
  }
  return typeof node === 'string' ? node : '';
}
