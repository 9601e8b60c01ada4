import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { DetailsPanel } from '../facts.tsx';
import { useDraft } from '../items/draft-context.ts';
import classes from './model-test.module.css';

/** Sends a test request to the model and shows the result. */
export function ModelTest() {
  const { t } = useTranslation();
  const format = useFormat();
  const { item, isDirty } = useDraft();
  const test = useMutation({
    mutationFn: () => call(adminModelsApi.test, { params: { id: item.id } }),
  });
  const result = test.data;

  return (
    <DetailsPanel title={t('adminConfig.model.test')}>
      <p>{isDirty ? t('adminConfig.model.testSaved') : t('adminConfig.model.testAbout')}</p>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t('adminConfig.model.testAction')}
      </Button>
      <div role="status">
        {result?.works && (
          <p className={classes.result}>
            <IconCheck size={16} aria-hidden />
            {t('adminConfig.model.testGood', { time: format.number(result.milliseconds) })}
          </p>
        )}
        {result?.works && result.answer && <blockquote>{result.answer}</blockquote>}
        {result && !result.works && (
          <p className={classes.result} data-bad>
            <IconX size={16} aria-hidden />
            {result.message ?? t('adminConfig.model.testBad')}
          </p>
        )}
        {result?.reason && (
          <p className={classes.reason}>
            {t('adminConfig.model.testReason', { reason: result.reason })}
          </p>
        )}
      </div>
      {test.error && <ErrorNote error={test.error} />}
    </DetailsPanel>
  );
}
