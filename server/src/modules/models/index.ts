/** The public interface of `models`: other modules import only this. */
export { calculateCost } from './calculate-cost.ts';
export { findOllama } from './find-ollama.ts';
export { knownModelSchema, knownPlatformSchema } from './known-model.ts';
export type {
  AskModel,
  JsonSchemaObject,
  ModelEvent,
  ModelImage,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from './model.ts';
export { parseModelHost } from './model-hosts.ts';
export {
  describeWithheld,
  findModelKey,
  type KeySources,
  modelKeyNames,
  needsKey,
  type WithheldKey,
} from './model-key.ts';
export { type Embedder, EmbedderFailure, openEmbedder } from './open-embedder.ts';
export { openModel } from './open-model.ts';
export { openProviderKeys, type ProviderKeys } from './provider-keys.ts';
export { emptyAnswerProblem, refusesTools } from './provider-problem.ts';
export { findProvider, providers, vendorKeys } from './providers.ts';
