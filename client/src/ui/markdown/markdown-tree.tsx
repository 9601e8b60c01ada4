import { Button } from '@mantine/core';
import { IconPhoto, IconTableExport } from '@tabler/icons-react';
import type { Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import {
  type ComponentProps,
  isValidElement,
  type MouseEvent,
  memo,
  type ReactNode,
  use,
  useRef,
  useState,
} from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ScrollingGroup } from '../layout/scrolling-group.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import { CodeFigure } from './code-figure.tsx';
import { Formula } from './formulas/formula.tsx';
import { ImageHostsContext } from './image-hosts-context.ts';
import classes from './markdown.module.css';
import { MarkdownBaseContext, relativePath } from './markdown-base.ts';
import { OpenBlockContext, TextIdContext } from './markdown-text-context.ts';
import ownClasses from './markdown-tree.module.css';
import { DiagramBlock } from './pictures/diagram-block.tsx';
import { SvgBlock } from './pictures/svg-block.tsx';
import { tableToHtml } from './rich-text.ts';
import { tableToCsv } from './table-csv.ts';

/** Renders parsed Markdown. */
export const MarkdownTree = memo(function MarkdownTree({ tree }: { tree: Root }) {
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true });
});

const components: Partial<Components> = {
  // The page already has a first-level heading.
  h1: ({ children }) => <h2 data-first>{children}</h2>,
  h2: FootnotesTitle,
  li: FootnoteItem,
  a: MarkdownLink,
  img: MarkdownImage,
  input: MarkdownCheckbox,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children, dir }) => <MarkdownTable dir={dir}>{children}</MarkdownTable>,
  var: Formula,
};

/** The box of a task list: an icon, not an input. */
function MarkdownCheckbox({ checked }: { checked?: boolean }) {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={checked ? t('answer.taskDone') : t('answer.taskOpen')}>
      {checked ? '☑' : '☐'}
    </span>
  );
}

/** A heading. Only the footnotes' heading has an ID, for screen readers. */
function FootnotesTitle({ id, children }: ComponentProps<'h2'>) {
  const { t } = useTranslation();
  const text = use(TextIdContext);
  if (id === undefined) {
    return <h2>{children}</h2>;
  }
  return (
    <h2 id={text + id} className={classes.footnotesTitle}>
      {t('answer.footnotes')}
    </h2>
  );
}

/** A list item. Only footnotes have an ID. */
function FootnoteItem({ id, className, children }: ComponentProps<'li'>) {
  const text = use(TextIdContext);
  if (id === undefined) {
    return <li className={className}>{children}</li>;
  }
  return (
    <li id={text + id} tabIndex={-1}>
      {children}
    </li>
  );
}

/** A code block; a diagram or an SVG once it is complete. */
function CodeBlock({ children }: { children: ReactNode }) {
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

/** An external link, a link to another file of the text's folder, or a link within the text. */
function MarkdownLink(props: ComponentProps<'a'>) {
  const { href = '', children } = props;
  const base = use(MarkdownBaseContext);
  const path = base && relativePath(href);
  if (href.startsWith('#')) {
    return <LinkInText {...props} />;
  }
  if (path !== undefined) {
    return <Link to={base?.link(path) ?? ''}>{children}</Link>;
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Between a footnote reference and its footnote. The page's URL does not change. */
function LinkInText({ href = '', id, children, ...props }: ComponentProps<'a'>) {
  const { t } = useTranslation();
  const text = use(TextIdContext);
  const isBack = 'data-footnote-backref' in props;
  const target = text + href.slice(1);
  const go = (event: MouseEvent) => {
    event.preventDefault();
    const found = document.getElementById(target);
    found?.scrollIntoView({ block: 'nearest' });
    found?.focus({ preventScroll: true });
  };
  return (
    <a
      href={`#${target}`}
      id={id && text + id}
      aria-label={isBack ? t('answer.footnoteBack') : undefined}
      aria-describedby={props['aria-describedby'] && text + props['aria-describedby']}
      onClick={go}
    >
      {children}
    </a>
  );
}

/**
 * A picture of our own origin, or the URL of a remote one. Loading it without consent would tell a third party
 * that, when and what is read here, and could exfiltrate data that a model was tricked into putting into the
 * URL.
 */
function MarkdownImage({ src, alt }: { src?: string | Blob; alt?: string }) {
  const base = use(MarkdownBaseContext);
  if (typeof src !== 'string' || !URL.canParse(src, location.href)) {
    return alt;
  }
  const path = base && relativePath(src);
  const address = new URL(path === undefined ? src : (base?.picture(path) ?? src), location.href);
  if (address.origin === location.origin) {
    return <img src={address.href} alt={alt ?? ''} />;
  }
  return <ForeignImage key={address.href} address={address} alt={alt ?? ''} />;
}

function ForeignImage({ address, alt }: { address: URL; alt: string }) {
  const { t } = useTranslation();
  const isAllowed = use(ImageHostsContext).includes(address.host) && address.protocol === 'https:';
  const [state, setState] = useState<'address' | 'shown' | 'failed'>('address');
  if (state === 'shown') {
    return (
      <img
        src={address.href}
        alt={alt}
        referrerPolicy="no-referrer"
        onError={() => setState('failed')}
      />
    );
  }
  return (
    <span className={ownClasses.foreign}>
      <IconPhoto size={16} aria-hidden />
      <a href={address.href} title={address.href} target="_blank" rel="noopener noreferrer">
        {alt || t('answer.picture')} ({address.host})
      </a>
      <span className={ownClasses.address}>{address.href}</span>
      {state === 'failed' && <span>{t('answer.pictureFailed')}</span>}
      {isAllowed && state === 'address' && (
        <Button variant="default" size="compact-xs" onClick={() => setState('shown')}>
          {t('answer.loadPicture', { host: address.host })}
        </Button>
      )}
    </span>
  );
}

/** A table that scrolls sideways if it is wider than the answer. */
function MarkdownTable({ children, dir }: { children: ReactNode; dir?: string | undefined }) {
  const { t } = useTranslation();
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className={ownClasses.tableFrame}>
      <ScrollingGroup className={ownClasses.table} label={t('answer.table')}>
        <table ref={table} dir={dir}>
          {children}
        </table>
      </ScrollingGroup>
      <div className={ownClasses.tableTools}>
        <CopyButton
          label={t('answer.copyCsv')}
          icon={<IconTableExport size={16} />}
          size={28}
          textOf={() => (table.current ? tableToCsv(table.current) : '')}
          htmlOf={async () => (table.current ? tableToHtml(table.current) : '')}
        />
      </div>
    </div>
  );
}
