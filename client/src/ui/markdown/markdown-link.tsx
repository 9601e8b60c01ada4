import { type ComponentProps, type MouseEvent, use } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MarkdownBaseContext, relativePath } from './markdown-base.ts';
import { TextIdContext } from './markdown-text-context.ts';

/** An external link, a link to another file of the text's folder, or a link within the text. */
export function MarkdownLink(props: ComponentProps<'a'>) {
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
