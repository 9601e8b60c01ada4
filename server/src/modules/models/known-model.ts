import { type ModelConfig, modelConfigSchema } from '@knowhow/shared/config/models';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { z } from 'zod';
import { getKeyVariable, providers } from './providers.ts';

/** Schema of `contents/models/<id>.json`, with a known provider and an allowed API key variable. */
export const knownModelSchema = modelConfigSchema
  .extend({ provider: z.enum(providers.map(({ id }) => id)) })
  .superRefine((model, context) => rejectForeignKey(model, context));

/** Schema of `contents/config/platform.json`, with an allowed API key variable for its embedding model. */
export const knownPlatformSchema = platformConfigSchema.superRefine(({ embedder }, context) => {
  if (embedder) {
    rejectForeignKey(embedder, context, ['embedder', 'apiKeyEnv']);
  }
});

/** A vendor's API key may only be used for that vendor's models. */
function rejectForeignKey(
  { apiKeyEnv, provider }: Pick<ModelConfig, 'apiKeyEnv' | 'provider'>,
  context: z.RefinementCtx,
  path: string[] = ['apiKeyEnv'],
): void {
  if (apiKeyEnv === undefined) {
    return;
  }
  const owners = providers.filter((each) => getKeyVariable(each) === apiKeyEnv).map(({ id }) => id);
  if (owners.length > 0 && !owners.includes(provider)) {
    context.addIssue({
      code: 'custom',
      path,
      message: `${apiKeyEnv} is for the provider ${owners.join(' or ')} alone. Name a separate variable.`,
    });
  }
}
