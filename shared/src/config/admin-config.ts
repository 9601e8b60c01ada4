import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

/** An app, group, model or prompt as in its file, with unresolved placeholders. */
export const configItemSchema = z.object({
  id: z.string(),
  /** The file, such as `contents/apps/chat.json`. */
  path: z.string(),
  /** Omitted if the file is not JSON. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** The text of the item; the whole file if it is not JSON. */
  text: z.string(),
  /** For `If-Match`. */
  checksum: z.string(),
  /** Why it is invalid; its last valid state, if any, remains active. */
  fault: z.object({ field: z.string().optional(), message: z.string() }).optional(),
});
export type ConfigItem = z.infer<typeof configItemSchema>;

export const configKinds = ['apps', 'groups', 'models', 'prompts'] as const;
export type ConfigKind = (typeof configKinds)[number];

const id = z.strictObject({ id: itemIdSchema });

function contractsOf(kind: ConfigKind, one: string) {
  const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });
  return {
    list: endpoint({
      ...forAdmins(`Every ${one}, as in its file`),
      method: 'GET',
      path: `/api/admin/${kind}`,
      query: pageQuery,
      response: listOf(configItemSchema),
    }),
    get: endpoint({
      ...forAdmins(`One ${one}`),
      method: 'GET',
      path: `/api/admin/${kind}/:id`,
      params: id,
      response: configItemSchema,
    }),
    put: endpoint({
      ...forAdmins(
        `Writes ${/^a/.test(one) ? 'an' : 'a'} ${one}, new or replaced; unknown fields are preserved`,
      ),
      method: 'PUT',
      path: `/api/admin/${kind}/:id`,
      params: id,
      body: z.record(z.string(), z.unknown()),
      response: configItemSchema,
    }),
    remove: endpoint({
      ...forAdmins(`Deletes ${/^a/.test(one) ? 'an' : 'a'} ${one}`),
      method: 'DELETE',
      path: `/api/admin/${kind}/:id`,
      params: id,
      response: z.void(),
    }),
  };
}

export const adminAppsApi = contractsOf('apps', 'app');
export const adminGroupsApi = contractsOf('groups', 'group');
export const adminPromptsApi = contractsOf('prompts', 'prompt');
export const adminModelsApi = {
  ...contractsOf('models', 'model'),
  /** Runtime states of models, in addition to the files. */
  states: endpoint({
    access: 'admin',
    summary: 'Which models are usable, including those found on this machine',
    method: 'GET',
    path: '/api/admin/model-states',
    query: pageQuery,
    response: listOf(
      z.object({
        id: z.string(),
        /** The missing environment variable, or the variable and the value it lacks. */
        needs: z.string().optional(),
        /** There is a key, but it is not sent to the model's host. */
        withheld: z
          .object({
            /** The environment variable with the key. */
            variable: z.string(),
            /** In the format of `MODEL_HOSTS`. */
            host: z.string(),
          })
          .optional(),
        /**
         * Its server has rejected tools since Knowhow started, although the file does not say so.
         */
        refusesTools: z.boolean().optional(),
        /** Discovered on this machine, without a file. */
        found: z.boolean(),
      }),
    ),
  }),
  providers: endpoint({
    access: 'admin',
    summary: 'The available model providers',
    method: 'GET',
    path: '/api/admin/model-providers',
    query: pageQuery,
    response: listOf(
      z.object({
        /** Value of `provider` in a model's file. */
        id: z.string(),
        label: localizedSchema,
      }),
    ),
  }),
  test: endpoint({
    access: 'admin',
    summary: 'Tests a model with a short request, and reports the result',
    method: 'POST',
    path: '/api/admin/models/:id/test',
    params: id,
    response: z.object({
      works: z.boolean(),
      /** Until the first token, or the failure. */
      milliseconds: z.number().int(),
      answer: z.string().optional(),
      /** Error message with the next step. */
      message: z.string().optional(),
      /** The provider's error message, without key and URL. */
      reason: z.string().optional(),
    }),
  }),
};
