import type { ModelConfig } from '@knowhow/shared/config/models';
import type { StreamAnswer } from './guard-answer.ts';
import type { AskModel } from './model.ts';

/** Whoever answers for models: all that is to be known of one vendor, or of one kind of server. */
export type Provider = NetworkProvider | BuiltInProvider;

interface Named {
  /** What the file of a model says in `provider`. */
  id: string;
  /** What administrators read. */
  label: Record<'en' | 'de', string>;
}

/** A provider that is asked over the network. */
export interface NetworkProvider extends Named {
  kind: 'network';
  /** The environment variable of the vendor's key; without one, its models may be asked without a key. */
  keyVariable?: string;
  /** The header that carries the key, with what comes before the key in it. */
  keyHeader: readonly [name: string, before: string];
  /** Further headers of each request. */
  headers?: Readonly<Record<string, string>>;
  /** The address of a model's requests, from its `url`; the vendor's own when it has none. */
  address: (config: Pick<ModelConfig, 'url' | 'modelId'>) => string;
  /**
   * The answers of a model, over a `fetch` that alone knows address and key. The vendor's client is
   * imported when the model is first asked: a start loads none.
   */
  ask: (config: ModelConfig, fetch: typeof globalThis.fetch) => StreamAnswer;
}

/** A provider within this process: no address, no key, and no language model. */
export interface BuiltInProvider extends Named {
  kind: 'built-in';
  ask: AskModel;
}

/** How most vendors take their key. */
export const bearer = ['authorization', 'Bearer '] as const;
