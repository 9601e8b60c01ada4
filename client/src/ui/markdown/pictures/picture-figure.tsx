import { IconCode, IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../icon-button.tsx';
import { type Code, CodeFigure } from '../code-figure.tsx';

interface PictureFigureProps extends Code {
  /** URL of the picture; undefined while pending, and if it cannot be shown. */
  picture: ReactNode;
  /** Why there is no picture. */
  note: string | undefined;
}

/** A picture written as code, with the code behind it. */
export function PictureFigure({ picture, note, ...code }: PictureFigureProps) {
  const { t } = useTranslation();
  const [isCode, setCode] = useState(false);
  const toggle = picture !== undefined && (
    <IconButton
      label={isCode ? t('answer.asPicture') : t('answer.asCode')}
      icon={isCode ? <IconPhoto size={16} /> : <IconCode size={16} />}
      size={26}
      onClick={() => setCode(!isCode)}
    />
  );
  return <CodeFigure {...code} tools={toggle} note={note} picture={isCode ? undefined : picture} />;
}
