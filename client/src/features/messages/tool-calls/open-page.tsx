import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import classes from './waiting-card.module.css';

/** A page that a tool wants its user to open. Only the host is shown, because it decides about trust. */
export function OpenPage({ url }: { url: string }) {
  const { t } = useTranslation();
  const host = getHost(url);
  if (host === undefined) {
    return <p className={classes.note}>{t('toolCall.badUrl')}</p>;
  }
  return (
    <>
      <p className={classes.message}>
        <Trans i18nKey="toolCall.openAbout" values={{ host }} components={{ b: <strong /> }} />
      </p>
      <Button
        className={classes.open}
        component="a"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        size="sm"
        leftSection={<IconExternalLink size={16} aria-hidden />}
      >
        {t('toolCall.open', { host })}
      </Button>
    </>
  );
}

/** The normalised host; undefined for an invalid URL. */
function getHost(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.host : undefined;
}
