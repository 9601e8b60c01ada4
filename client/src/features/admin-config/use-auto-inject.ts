import { textsOf } from './config-value.ts';
import { useField } from './draft-context.ts';

/** The skills that the app's prompt always describes. */
export function useAutoInject() {
  const { value, set } = useField('skillSettings.autoInject');
  const names = textsOf(value);
  return {
    has: (name: string) => names.includes(name),
    set: (name: string, isWanted: boolean) => {
      const others = names.filter((other) => other !== name);
      const wanted = isWanted ? [...others, name] : others;
      set(wanted.length > 0 ? wanted : undefined);
    },
  };
}
