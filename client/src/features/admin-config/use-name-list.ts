import type { ConfigPath } from './items/config-path.ts';
import { asTexts } from './items/config-value.ts';
import { useField } from './items/draft-context.ts';

/** A list of names in the item, by path; removed from the configuration if empty. */
function useNameList(path: ConfigPath) {
  const { value, set } = useField(path);
  const names = asTexts(value);
  return {
    names,
    has: (name: string) => names.includes(name),
    set: (name: string, isWanted: boolean) => {
      const others = names.filter((other) => other !== name);
      const wanted = isWanted ? [...others, name] : others;
      set(wanted.length > 0 ? wanted : undefined);
    },
  };
}

/** The skills that are active in every conversation of the app. */
export const useAutoInject = () => useNameList('skillSettings.autoInject');
/** Inherited skills that the app does not offer. */
export const useExcluded = () => useNameList('skillSettings.exclude');
