import type { ProviderKey } from '@knowhow/shared/access/provider-keys';
import { addToGroup } from '../../../platform/lib/group-by.ts';
import type { Contents } from '../../content/index.ts';
import { modelKeyNames, needsKey, type ProviderKeys, vendorKeys } from '../../models/index.ts';

interface Dependencies {
  contents: () => Contents;
  providerKeys: ProviderKeys;
  /** Environment variables. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** Keys of vendors and of individual models, with their sources. */
export async function listProviderKeys(dependencies: Dependencies): Promise<ProviderKey[]> {
  const { contents, providerKeys, variables } = dependencies;
  const entered = new Map((await providerKeys.list()).map((key) => [key.variable, key]));
  const models = new Map<string, string[]>(vendorKeys.map((variable) => [variable, []]));
  const needed = new Set(vendorKeys);
  for (const config of contents().models.values()) {
    // A vendor's key stays with the vendor. A model's own key is listed if it is set or needed.
    const names = modelKeyNames(config);
    const used = names.find((name) => variables[name] || entered.has(name)) ?? names.at(-1);
    if (used !== undefined) {
      addToGroup(models, used, config.id);
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
      variable,
      source,
      models: ids,
      isNeeded: needed.has(variable),
      ...(key ? { enteredBy: key.by, enteredAt: key.at } : {}),
    };
  });
}
