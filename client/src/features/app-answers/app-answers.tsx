import { type AppAnswers as Answered, appVariablesApi } from '@knowhow/shared/config/app-variables';
import type { App } from '@knowhow/shared/config/apps';
import { Modal } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { AnswersForm } from './answers-form.tsx';

interface AppAnswersProps {
  app: App;
}

/**
 * The button that opens an app's questions to its user. If a required answer is missing, the form opens
 * automatically.
 */
export function AppAnswers({ app }: AppAnswersProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const [isOpen, setOpen] = useState<boolean>();
  const { data } = useQuery(query(appVariablesApi.get, { params: { appId: app.id } }));
  if (!data) {
    return null;
  }
  const opened = isOpen ?? (data.isIncomplete && data.canKeep);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        label={t('appAnswers.open')}
        icon={<IconAdjustmentsHorizontal size={18} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Modal
        opened={opened}
        onClose={close}
        title={t('appAnswers.title', { app: localize(app.name) })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        centered
      >
        <Asked appId={app.id} answered={data} onDone={close} />
      </Modal>
    </>
  );
}

interface AskedProps {
  appId: string;
  answered: Answered;
  onDone: () => void;
}

function Asked(props: AskedProps) {
  const { t } = useTranslation();
  return props.answered.canKeep ? <AnswersForm {...props} /> : <p>{t('appAnswers.guest')}</p>;
}
