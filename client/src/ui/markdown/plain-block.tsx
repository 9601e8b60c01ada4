import { useTranslation } from 'react-i18next';
import { PlainText } from '../text/plain-text.tsx';
import classes from './plain-block.module.css';

interface PlainBlockProps {
  text: string;
  /** Whether it is being parsed; otherwise it is too complex. */
  pending: boolean;
}

/** A raw block of Markdown. */
export function PlainBlock({ text, pending }: PlainBlockProps) {
  const { t } = useTranslation();
  return (
    <>
      {!pending && <p className={classes.note}>{t('answer.tooComplex')}</p>}
      <p className={classes.text} data-pending={pending || undefined}>
        <PlainText text={text} />
      </p>
    </>
  );
}
