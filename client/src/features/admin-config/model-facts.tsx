import { useTranslation } from 'react-i18next';
import { Facts } from './facts.tsx';
import { ModelTest } from './model-test.tsx';
import { useModelStates } from './use-model-states.ts';

/** Whether a model can be asked, and where its key comes from. */
export function ModelFacts({ id }: { id: string }) {
  const { t } = useTranslation();
  const needs = useModelStates().get(id)?.needs;
  const own = `${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
  return (
    <>
      <ModelTest />
      <Facts title={t('adminConfig.model.key')}>
        <p>
          {needs === undefined
            ? t('adminConfig.model.keyReady')
            : t('adminConfig.model.keyMissing', { needs })}
        </p>
        <p>{t('adminConfig.model.keyAbout', { own })}</p>
        <p>{t('adminConfig.model.keyWhy')}</p>
      </Facts>
    </>
  );
}
