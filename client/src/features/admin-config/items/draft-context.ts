import { createContext, type ReactNode, use } from 'react';
import { valueAt, withValue } from '../with-value.ts';
import type { ConfigPath } from './config-path.ts';
import type { ItemDraft } from './use-item-draft.ts';

/** The item that the fields below edit. */
export const DraftContext = createContext<ItemDraft | undefined>(undefined);

export function useDraft(): ItemDraft {
  const draft = use(DraftContext);
  if (!draft) {
    throw new Error('A field is outside of an item.');
  }
  return draft;
}

interface Field {
  value: unknown;
  /** `undefined` removes the field from the configuration. */
  set: (value: unknown) => void;
  error: ReactNode;
}

/** One field of the item by its path, such as `permissions.apps`. */
export function useField(path: ConfigPath): Field {
  const { form } = useDraft();
  const [first = '', ...rest] = path.split('.');
  return {
    value: valueAt(form.values, [first, ...rest]),
    set: (value) => {
      form.setFieldValue(first, withValue(form.getValues()[first], rest, value));
      form.clearFieldError(path);
    },
    error: form.errors[path],
  };
}
