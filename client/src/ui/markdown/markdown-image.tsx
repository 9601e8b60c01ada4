import { IconPhoto } from '@tabler/icons-react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { MarkdownBaseContext, relativePath } from './markdown-base.ts';

/**
 * A picture of our own origin, or a link to one elsewhere: loading it unasked would show a stranger
 * that, when and what somebody reads here.
 */
export function MarkdownImage({ src, alt }: { src?: string | Blob; alt?: string }) {
  const { t } = useTranslation();
  const base = useContext(MarkdownBaseContext);
  if (typeof src !== 'string' || !URL.canParse(src, location.href)) {
    return alt;
  }
  const path = base && relativePath(src);
  const address = new URL(path === undefined ? src : (base?.picture(path) ?? src), location.href);
  if (address.origin === location.origin) {
    return <img src={address.href} alt={alt ?? ''} />;
  }
  return (
    <a href={address.href} target="_blank" rel="noopener noreferrer">
      <IconPhoto size={16} aria-hidden /> {alt || t('answer.picture')} ({address.host})
    </a>
  );
}
