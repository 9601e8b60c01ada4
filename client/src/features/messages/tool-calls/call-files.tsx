import type { StoredFile } from '@knowhow/shared/config/tools';
import { IconDownload } from '@tabler/icons-react';
import { useContext } from 'react';
import link from '../../../ui/files/file-link.module.css';
import { useFormat } from '../../../ui/text/use-format.ts';
import { ReadingContext } from '../answer/reading-context.ts';
import classes from './call-files.module.css';

/** Files created by a call: pictures are shown, all else is downloaded, including active content. */
export function CallFiles({ files }: { files: readonly StoredFile[] }) {
  const { bytes } = useFormat();
  const { fileUrl } = useContext(ReadingContext);
  const pictures = files.filter(({ type }) => /^image\/(?!svg)/.test(type));
  return (
    <div className={classes.files}>
      {pictures.map(({ id, name }) => (
        <img key={id} className={classes.picture} src={fileUrl(id)} alt={name} />
      ))}
      <ul className={classes.links}>
        {files.map(({ id, name, size }) => (
          <li key={id}>
            <a className={link.link} href={fileUrl(id)} download={name.split('/').at(-1)}>
              <IconDownload size={15} aria-hidden />
              {name} <span>{`· ${bytes(size)}`}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
