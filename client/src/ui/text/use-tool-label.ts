import type { ToolLabel } from '@knowhow/shared/config/tools';
import { useTranslation } from 'react-i18next';
import type texts from '../../../../locales/en/tools.json';

type ToolKey = keyof typeof texts.tools;

/**
 * Returns the titles of a tool and its source: translated for built-in ones, which have a key. The
 * texts of `tools` must be loaded; without them, titles are in English.
 */
export function useToolLabel(): (label: Partial<ToolLabel>) => { title: string; source: string } {
  const { t } = useTranslation();
  return ({ title = '', source = '', toolKey, sourceKey }) => {
    const titleKey = `tools.${toolKey as ToolKey}.title` as const;
    const sourceTitleKey = `toolSources.${sourceKey ?? 'scripts'}` as const;
    return {
      // A newer server may have more tools.
      title: toolKey ? t(titleKey, { defaultValue: title }) : title,
      source: sourceKey ? t(sourceTitleKey, { defaultValue: source }) : source,
    };
  };
}
