import type { App } from '@knowhow/shared/config/apps';
import type { Model } from '@knowhow/shared/config/models';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../i18n/use-localize.ts';
import { ChoiceMenu } from '../../ui/choice-menu.tsx';
import { useModelLimit } from './use-model-limit.ts';

interface ModelPickerProps {
  app: App;
  models: Model[];
  chosen: string | undefined;
  onChoose: (modelId: string) => void;
}

export function ModelPicker({ app, models, chosen, onChoose }: ModelPickerProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const limitOf = useModelLimit(app);
  return (
    <ChoiceMenu
      label={t('pickers.model')}
      choices={models.map((model) => ({
        id: model.id,
        name: localize(model.name),
        // The description of the demo model is fixed, not configurable.
        description: model.provider === 'demo' ? '' : localize(model.description),
        diagnostic: limitOf(model),
        disabled: model.needs !== undefined,
      }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
