import type { SentAttachment } from '@knowhow/shared/chat/attachments';
import { IconFileText } from '@tabler/icons-react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import link from '../../ui/files/file-link.module.css';
import { useFormat } from '../../ui/text/use-format.ts';
import { ReadingContext } from './answer/reading-context.ts';
import classes from './attached-files.module.css';

/** Attachments of a user message: pictures as thumbnails, other files as downloads. */
export function AttachedFiles({ files }: { files: readonly SentAttachment[] }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const { fileUrl } = useContext(ReadingContext);
  return (
    <ul className={classes.files} aria-label={t('attachments.sent')}>
      {files.map(({ id, name, kind, size, origin }) => (
        <li key={id} title={origin?.uri}>
          {kind === 'picture' ? (
            <a href={fileUrl(id)} target="_blank" rel="noreferrer">
              <img className={classes.picture} src={fileUrl(id)} alt={name} />
            </a>
          ) : (
            <a className={link.link} href={fileUrl(id)} download={name}>
              <IconFileText size={18} aria-hidden />
              <bdi>{name}</bdi>{' '}
              <span>
                {bytes(size)}
                {origin && ` · ${t('attachments.origin', { server: origin.server })}`}
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
