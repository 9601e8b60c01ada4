import { useTranslation } from 'react-i18next';
import { NumberField } from '../number-field.tsx';
import { useEnvironment } from './settings-context.ts';

interface SettingNumberProps {
  path: string;
  label: string;
  description?: string;
  /** The default value. */
  fallback: number;
}

/** A number with its default, built-in or from the environment. */
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
