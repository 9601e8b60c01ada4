import { useTranslation } from 'react-i18next';
import type { SettingPath } from '../items/config-path.ts';

interface SettingTexts {
  label: string;
  description?: string;
}

/** Label and help of a setting: `settings.fields.<path>` and `settings.fields.<path>About`. */
export function useSettingTexts(path: SettingPath): SettingTexts {
  const { t, i18n } = useTranslation();
  // The keys follow from the schema; a test names those without a text.
  const translate = t as (key: string) => string;
  const key = `settings.fields.${path}`;
  const about = `${key}About`;
  return {
    label: translate(key),
    ...(i18n.exists(about) ? { description: translate(about) } : {}),
  };
}
