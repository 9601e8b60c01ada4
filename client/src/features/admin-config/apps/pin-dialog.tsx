import { type SkillVersion, skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { Radio } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pages } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './pin-dialog.module.css';

interface PinDialogProps {
  /** Name of the skill. */
  name: string;
  /** The version that is pinned now. */
  version: number | undefined;
  opened: boolean;
  onClose: () => void;
  onPin: (version: number) => void;
}

/** Lets the user choose the version to which an app pins a skill. */
export function PinDialog({ name, version, opened, onClose, onPin }: PinDialogProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const list = useInfiniteQuery({
    ...pages(skillVersionsApi.list, { params: { skill: name }, query: { limit: 50 } }),
    enabled: opened,
  });
  // Deletions and incomplete versions have no digest.
  const versions = list.data?.pages
    .flatMap(({ items }) => items)
    .filter(({ digest }) => digest !== undefined);
  const value = chosen ?? String(version ?? '');

  function close() {
    setChosen(undefined);
    onClose();
  }

  return (
    <ConfirmDialog
      title={t('adminConfig.app.pinTitle', { name })}
      opened={opened}
      onClose={close}
      onConfirm={() => {
        onPin(Number(value));
        close();
      }}
      confirmLabel={t('adminConfig.app.pinConfirm')}
      isReady={value !== ''}
    >
      <p>{t('adminConfig.app.pinText')}</p>
      <LoadError queries={[list]} />
      {list.isPending && <p role="status">{t('adminConfig.app.loadingVersions')}</p>}
      {versions?.length === 0 && <p>{t('skillPage.noVersionsText')}</p>}
      <Radio.Group aria-label={t('skillPage.versions')} value={value} onChange={setChosen}>
        <div className={classes.versions}>
          {versions?.map((each) => (
            <VersionRadio key={each.number} version={each} />
          ))}
        </div>
      </Radio.Group>
      <MoreButton list={list} />
    </ConfirmDialog>
  );
}

function VersionRadio({ version }: { version: SkillVersion }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { number, message, summary, author, created, isCurrent } = version;
  const label = t('adminConfig.app.pinned', { version: number });
  return (
    <Radio
      value={String(number)}
      label={isCurrent ? `${label} · ${t('skillPage.current')}` : label}
      description={[message || summary, date(created), author].filter(Boolean).join(' · ')}
    />
  );
}
