import { demoModel } from '../demo-model.ts';
import type { BuiltInProvider } from '../provider.ts';

/** The built-in model of an installation without API keys. */
export const demo: BuiltInProvider = {
  kind: 'built-in',
  id: 'demo',
  label: { en: 'Demo, no language model', de: 'Demo, kein Sprachmodell' },
  ask: demoModel,
};
