import { useTranslation } from 'react-i18next';
import { NumberField } from '../number-field.tsx';
import { useEnvironment } from './settings-context.ts';

interface SettingNumberProps {
  path: string;
  label: string;
  description?: string;
  /** What counts where nothing is said. */
  fallback: number;
}

/** A number, with what counts where it is left out: as shipped, or as the environment says. */
export function SettingNumber({ path, label, description, fallback }: SettingNumberProps) {
  const { t } = useTranslation();
  const said = useEnvironment(path);
  const instead = said && t('settings.instead', { variable: said.variable });
  const words = [description, instead].filter(Boolean).join(' ');
  return (
    <NumberField
      path={path}
      label={label}
      placeholder={said?.value ?? String(fallback)}
      {...(words && { description: words })}
    />
  );
}
