import type { ProviderKey } from '@knowhow/shared/access/provider-keys';
import type { Contents } from '../content/contents.ts';
import { modelKeyNames, needsKey } from '../models/model-key.ts';
import type { ProviderKeys } from '../models/provider-keys.ts';
import { vendorKeys } from '../models/providers.ts';

interface Dependencies {
  contents: () => Contents;
  providerKeys: ProviderKeys;
  /** The environment's. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** The vendors' keys and those that models have of their own, with where they come from. */
export async function listProviderKeys(dependencies: Dependencies): Promise<ProviderKey[]> {
  const { contents, providerKeys, variables } = dependencies;
  const entered = new Map((await providerKeys.list()).map((key) => [key.variable, key]));
  const models = new Map<string, string[]>(vendorKeys.map((variable) => [variable, []]));
  const needed = new Set(vendorKeys);
  for (const config of contents().models.values()) {
    // What is a vendor's stays that; a model's own is listed where there is one, or it needs it.
    const names = modelKeyNames(config);
    const used = names.find((name) => variables[name] || entered.has(name)) ?? names.at(-1);
    if (used !== undefined) {
      models.set(used, [...(models.get(used) ?? []), config.id]);
      if (needsKey(config)) {
        needed.add(used);
      }
    }
  }
  for (const variable of entered.keys()) {
    models.set(variable, models.get(variable) ?? []);
  }
  return [...models].map(([variable, ids]) => {
    const key = entered.get(variable);
    const source = variables[variable] ? 'environment' : key ? 'entered' : 'none';
    return {
      ...{ variable, source, models: ids, isNeeded: needed.has(variable) },
      ...(key ? { enteredBy: key.by, enteredAt: key.at } : {}),
    };
  });
}
