import type { App } from '@knowhow/shared/config/apps';
import type { Model } from '@knowhow/shared/config/models';
import { useTranslation } from 'react-i18next';

/** Returns a limitation of a model in an app that users should know beforehand. */
export function useModelLimit(
  app: App | undefined,
): (model: Model | undefined) => string | undefined {
  const { t } = useTranslation();
  return (model) => {
    if (model?.needs) {
      return model.needs;
    }
    if (model?.provider === 'demo') {
      return t('pickers.demo');
    }
    const isOnItsOwn = model?.supportsTools === false && app?.bringsSkills === false;
    return isOnItsOwn ? t('pickers.noTools') : undefined;
  };
}
