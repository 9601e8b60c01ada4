import type { App } from '@knowhow/shared/config/apps';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../i18n/use-localize.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { ChoiceMenu } from '../../ui/choice-menu.tsx';

interface AppPickerProps {
  apps: App[];
  chosen: string | undefined;
  onChoose: (appId: string) => void;
}

export function AppPicker({ apps, chosen, onChoose }: AppPickerProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  return (
    <ChoiceMenu
      strong
      label={t('pickers.app')}
      choices={apps.map(({ id, name, description, icon, color }) => ({
        id,
        name: localize(name),
        description: localize(description),
        icon: <AppIcon {...{ icon, color }} />,
      }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
