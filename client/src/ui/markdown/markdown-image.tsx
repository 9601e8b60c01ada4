import { Button } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageHostsContext } from './image-hosts-context.ts';
import { MarkdownBaseContext, relativePath } from './markdown-base.ts';
import classes from './markdown-image.module.css';

/**
 * A picture of our own origin, or the URL of a remote one. Loading it without consent would tell a third party
 * that, when and what is read here, and could exfiltrate data that a model was tricked into putting into the
 * URL.
 */
export function MarkdownImage({ src, alt }: { src?: string | Blob; alt?: string }) {
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
    <span className={classes.foreign}>
      <IconPhoto size={16} aria-hidden />
      <a href={address.href} title={address.href} target="_blank" rel="noopener noreferrer">
        {alt || t('answer.picture')} ({address.host})
      </a>
      <span className={classes.address}>{address.href}</span>
      {state === 'failed' && <span>{t('answer.pictureFailed')}</span>}
      {isAllowed && state === 'address' && (
        <Button variant="default" size="compact-xs" onClick={() => setState('shown')}>
          {t('answer.loadPicture', { host: address.host })}
        </Button>
      )}
    </span>
  );
}
