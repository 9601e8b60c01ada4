import { isValidElement, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../copy-button.tsx';
import { ScrollingGroup } from '../scrolling-group.tsx';
import classes from './markdown.module.css';

/** Code with its language and a copy button above it. A copied line must not run when it is pasted. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const code = useRef<HTMLPreElement>(null);
  return (
    <figure className={classes.code}>
      <figcaption>
        <span>{languageOf(children)}</span>
        <CopyButton textOf={() => (code.current?.textContent ?? '').replace(/\n$/, '')} size={26} />
      </figcaption>
      <ScrollingGroup className={classes.codeText} label={t('answer.code')}>
        <pre ref={code}>{children}</pre>
      </ScrollingGroup>
    </figure>
  );
}

function languageOf(code: ReactNode): string {
  const names = isValidElement<{ className?: string }>(code) ? code.props.className : undefined;
  return /language-([\w+#-]+)/.exec(names ?? '')?.[1] ?? '';
}
