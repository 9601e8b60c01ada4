import { IconPhoto } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/**
 * A picture of our own origin, or a link to one elsewhere: loading it unasked would tell a stranger
 * that, when and what somebody reads here.
 */
export function MarkdownImage({ src, alt }: { src?: string | Blob; alt?: string }) {
  const { t } = useTranslation();
  if (typeof src !== 'string' || !URL.canParse(src, location.href)) {
    return alt;
  }
  const address = new URL(src, location.href);
  if (address.origin === location.origin) {
    return <img src={address.href} alt={alt ?? ''} />;
  }
  return (
    <a href={address.href} target="_blank" rel="noopener noreferrer">
      <IconPhoto size={16} aria-hidden /> {alt || t('answer.picture')} ({address.host})
    </a>
  );
}
