import { useTranslation } from 'react-i18next';
import { DetailsPanel } from '../facts.tsx';
import { ModelTest } from './model-test.tsx';
import { useModelStates } from './use-model-states.ts';

/** Whether a model is available, and where its key comes from. */
export function ModelFacts({ id }: { id: string }) {
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
