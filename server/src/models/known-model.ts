import { type ModelConfig, modelConfigSchema } from '@knowhow/shared/config/models';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { z } from 'zod';
import { keyVariableOf, providers } from './providers.ts';

/** `contents/models/<id>.json`, with a provider that is known and a key that it may have. */
export const knownModelSchema = modelConfigSchema
  .extend({ provider: z.enum(providers.map(({ id }) => id)) })
  .superRefine((model, context) => refuseForeignKey(model, context));

/** `contents/config/platform.json`, with a key that its embedder may have. */
export const knownPlatformSchema = platformConfigSchema.superRefine(({ embedder }, context) => {
  if (embedder) {
    refuseForeignKey(embedder, context, ['embedder', 'apiKeyEnv']);
  }
});

/** A vendor's key is for its own models alone. */
function refuseForeignKey(
  { apiKeyEnv, provider }: Pick<ModelConfig, 'apiKeyEnv' | 'provider'>,
  context: z.RefinementCtx,
  path: string[] = ['apiKeyEnv'],
): void {
  if (apiKeyEnv === undefined) {
    return;
  }
  const owners = providers.filter((each) => keyVariableOf(each) === apiKeyEnv).map(({ id }) => id);
  if (owners.length > 0 && !owners.includes(provider)) {
    context.addIssue({
      code: 'custom',
      path,
      message: `${apiKeyEnv} is for the provider ${owners.join(' or ')} alone. Name a variable of its own.`,
    });
  }
}
