import { type ConfigItem, configItemSchema } from '@knowhow/shared/config/admin-config';
import { z } from 'zod';
import { usePersistedState } from '../../../ui/use-persisted-state.ts';

const keptSchema = z
  .object({
    /** The server version that the changes are based on. */
    item: configItemSchema,
    config: z.record(z.string(), z.unknown()),
    text: z.string().optional(),
  })
  .optional();

/** Unsaved changes of an item: they survive a reload and an expired session. */
export function usePersistedDraft(key: string, initial: ConfigItem) {
  const { value, setValue, forget, wasKept } = usePersistedState(
    `config:${key}:${initial.id}`,
    keptSchema,
    undefined,
  );
  const first = value ?? { item: initial, config: initial.config ?? {}, text: textOf(initial) };
  return { first, keep: setValue, forget, wasKept };
}

/** Invalid JSON can only be edited as text. */
export function textOf({ config, text }: ConfigItem): string | undefined {
  return config ? undefined : text;
}
