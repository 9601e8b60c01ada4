import type { Activation } from '@knowhow/shared/chat/chat';
import { UnstyledButton } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { TwoLines } from '../../ui/text/two-lines.tsx';
import classes from './activation-card.module.css';

const TextBlock = lazyPart(async () => (await import('../../ui/text/text-block.tsx')).TextBlock);

interface ActivationCardProps {
  activation: Activation;
  /** Files of the skill that were read for this answer. */
  files: string[];
  /** The skill's text, if it is shared. */
  instructions?: string | undefined;
  /** Deactivates the skill; undefined if it is no longer active. */
  onEnd?: () => void;
}

/** A collapsible row for an active skill, with its details. */
export function SkillCard({ activation, files, instructions, onEnd }: ActivationCardProps) {
  const { t } = useTranslation();
  const { name, description, via, tokens, version, reason } = activation;
  return (
    <Expander
      tone="skill"
      icon={<Bolt />}
      summary={
        <>
          {t('activation.using')} <em className={classes.name}>{name}</em>
        </>
      }
    >
      {description && <TwoLines text={description} />}
      <p className={classes.facts}>
        {t(viaKeys[via])} · {t('activation.tokens', { count: tokens })}
        {version && ` · ${t('activation.version', { number: version.number })}`}
      </p>
      {reason && <p className={classes.facts}>{t('activation.reason', { reason })}</p>}
      {files.length > 0 && (
        <p className={classes.facts}>
          {t('activation.files')}{' '}
          {files.map((file, position) => (
            <span key={file}>
              {position > 0 && ', '}
              <code>{file}</code>
            </span>
          ))}
        </p>
      )}
      {instructions && (
        <Suspense>
          <TextBlock label={t('shared.skillText')} text={instructions} />
        </Suspense>
      )}
      {onEnd && (
        <UnstyledButton className={classes.end} onClick={onEnd}>
          {t('activation.end')}
        </UnstyledButton>
      )}
    </Expander>
  );
}

const viaKeys = {
  model: 'activation.viaModel',
  slash: 'activation.viaSlash',
  api: 'activation.viaApi',
  app: 'activation.viaApp',
  router: 'activation.viaRouter',
} as const;
