import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useConfigItems } from '../../../ui/use-config-items.ts';
import { DetailsPanel } from '../facts.tsx';
import { asTexts } from '../items/config-value.ts';
import { useDraft } from '../items/draft-context.ts';
import { ItemPage } from '../items/item-page.tsx';
import { ModelFields } from './model-fields.tsx';
import { useModelStates } from './model-queries.ts';
import classes from './model-test.module.css';

export function ModelItem({ id }: { id: string }) {
  const { t } = useTranslation();
  const apps = useConfigItems('apps');
  const naming = (apps.data ?? [])
    .filter(
      ({ config }) => config?.preferredModel === id || asTexts(config?.allowedModels).includes(id),
    )
    .map((app) => app.id);
  const losses = [
    t('adminConfig.model.lossUse'),
    ...(naming.length > 0 ? [t('adminConfig.model.lossApps', { apps: naming.join(', ') })] : []),
  ];
  return (
    <ItemPage kind="models" id={id} losses={losses} facts={<ModelFacts id={id} />}>
      <ModelFields />
    </ItemPage>
  );
}

/** Whether a model is available, and where its key comes from. */
function ModelFacts({ id }: { id: string }) {
  const { t } = useTranslation();
  const { needs, withheld, refusesTools } = useModelStates().get(id) ?? {};
  const own = `${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
  return (
    <>
      <ModelTest />
      {refusesTools && (
        <DetailsPanel title={t('adminConfig.model.refusesTools')}>
          <p>{t('adminConfig.model.refusesToolsAbout', { label: t('adminConfig.model.tools') })}</p>
        </DetailsPanel>
      )}
      <DetailsPanel title={t('adminConfig.model.key')}>
        <p>
          {withheld && t('adminConfig.model.keyWithheld', withheld)}
          {!withheld && needs !== undefined && t('adminConfig.model.keyMissing', { needs })}
          {needs === undefined && t('adminConfig.model.keyReady')}
        </p>
        <p>{t('adminConfig.model.keyAbout', { own })}</p>
        <p>{t('adminConfig.model.keyWhy')}</p>
      </DetailsPanel>
    </>
  );
}

/** Sends a test request to the model and shows the result. */
function ModelTest() {
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
