import type { Model } from '@knowhow/shared/models';
import { useTranslation } from 'react-i18next';

/** Gives what a model cannot do, where one should know before asking it anything. */
export function useModelLimit(): (model: Model | undefined) => string | undefined {
  const { t } = useTranslation();
  return (model) => {
    if (model?.needs) {
      return model.needs;
    }
    if (model?.provider === 'demo') {
      return t('pickers.demo');
    }
    return model && !model.supportsTools ? t('pickers.noTools') : undefined;
  };
}
