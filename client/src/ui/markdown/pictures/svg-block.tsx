import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Code } from '../code-figure.tsx';
import { pictureAddress } from './picture-address.ts';
import { PictureFigure } from './picture-figure.tsx';
import classes from './pictures.module.css';
import { sanitizeSvg } from './sanitize-svg.ts';

/** An SVG as a picture: as an image it can neither run nor load anything. */
export function SvgBlock(code: Code) {
  const { t } = useTranslation();
  const judged = useMemo(() => sanitizeSvg(code.text), [code.text]);
  const note = {
    safe: undefined,
    unsafe: t('answer.svgUnsafe', { part: judged.part }),
    'too-large': t('answer.svgTooLarge'),
  }[judged.verdict];
  const picture = judged.verdict === 'safe' && (
    <div className={classes.picture} data-paper>
      <img src={pictureAddress(judged.svg)} alt={judged.title || t('answer.picture')} />
    </div>
  );
  return <PictureFigure {...code} picture={picture || undefined} note={note} />;
}
