import { type ConfigItem, configItemSchema } from '@knowhow/shared/config/admin-config';
import { z } from 'zod';
import { useKept } from '../../../ui/use-kept.ts';

const keptSchema = z
  .object({
    /** The state on the server that the changes began from. */
    item: configItemSchema,
    config: z.record(z.string(), z.unknown()),
    text: z.string().optional(),
  })
  .optional();

/** Changes of an item that are not saved: they outlive a reload and a lost session. */
export function useKeptItem(key: string, initial: ConfigItem) {
  const { value, setValue, forget, wasKept } = useKept(
    `config:${key}:${initial.id}`,
    keptSchema,
    undefined,
  );
  const first = value ?? { item: initial, config: initial.config ?? {}, text: textOf(initial) };
  return { first, keep: setValue, forget, wasKept };
}

/** What is no JSON object can only be edited as text. */
export function textOf({ config, text }: ConfigItem): string | undefined {
  return config ? undefined : text;
}
