import type { Localized } from '@knowhow/shared/config/localized';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { StreamAnswer } from './guard-answer.ts';
import type { AskModel } from './model.ts';

/** A vendor's API, a kind of model server, or the built-in demo. */
export type Provider = NetworkProvider | BuiltInProvider;

interface Named {
  /** Value of `provider` in a model's file. */
  id: string;
  /** Display name for administrators. */
  label: Localized;
}

/** A provider that is reached over the network. */
export interface NetworkProvider extends Named {
  kind: 'network';
  /** Environment variable of the vendor's API key; if absent, its models may work without a key. */
  keyVariable?: string;
  /** Header with the key, and the prefix before the key. */
  keyHeader: readonly [name: string, before: string];
  /** Additional headers of each request. */
  headers?: Readonly<Record<string, string>>;
  /** Endpoint of a model, derived from its `url`; the vendor's own if it has none. */
  address: (config: Pick<ModelConfig, 'url' | 'modelId'>) => string;
  /**
   * Streams a model's answers over a `fetch` that alone knows address and key. The vendor's client is imported on
   * first use to keep startup fast.
   */
  ask: (config: ModelConfig, fetch: typeof globalThis.fetch) => StreamAnswer;
}

/** A provider within this process, without address, key or language model. */
export interface BuiltInProvider extends Named {
  kind: 'built-in';
  ask: AskModel;
}

/** How most vendors expect their key. */
export const bearer = ['authorization', 'Bearer '] as const;
