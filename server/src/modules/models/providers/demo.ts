import { localizeAll } from '../../../platform/lib/locales.ts';
import { demoModel } from '../demo-model.ts';
import type { BuiltInProvider } from '../provider.ts';

/** The built-in model of an installation without API keys. */
export const demo: BuiltInProvider = {
  kind: 'built-in',
  id: 'demo',
  label: localizeAll(({ providers }) => providers.demo),
  ask: demoModel,
};
